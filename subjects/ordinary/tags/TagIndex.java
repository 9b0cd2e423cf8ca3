// defect untagged, missing null check: TagIndex.untag throws NullPointerException
//     new TagIndex().untag(1, "red");
// defect exposed, aliasing of a returned set: TagIndex.tagsOf throws AssertionError
//     TagIndex index = new TagIndex();
//     index.tag(1, "red");
//     index.documents("red").clear();
//     index.tagsOf(1);
package ordinary.tags;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Documents by tag, and back. */
public class TagIndex {
    private final Map<String, Set<Integer>> documents = new HashMap<>();
    private final Map<Integer, Set<String>> tags = new HashMap<>();

    public void tag(int document, String tag) {
        if (tag == null || tag.isEmpty()) {
            throw new IllegalArgumentException("tag");
        }
        documents.computeIfAbsent(tag, t -> new HashSet<>()).add(document);
        tags.computeIfAbsent(document, d -> new TreeSet<>()).add(tag);
    }

    public boolean untag(int document, String tag) {
        Set<Integer> tagged = documents.get(tag);
        if (tagged == null || !tagged.remove(document)) { // defect untagged: if (!tagged.remove(document)) {
            return false;
        }
        if (tagged.isEmpty()) {
            documents.remove(tag);
        }
        Set<String> left = tags.get(document);
        left.remove(tag);
        if (left.isEmpty()) {
            tags.remove(document);
        }
        return true;
    }

    public Set<Integer> documents(String tag) {
        return new HashSet<>(documents.getOrDefault(tag, Set.of())); // defect exposed: return documents.getOrDefault(tag, Set.of());
    }

    public Set<String> tagsOf(int document) {
        Set<String> result = new TreeSet<>();
        for (String tag : tags.getOrDefault(document, Set.of())) {
            assert documents.containsKey(tag) && documents.get(tag).contains(document);
            result.add(tag);
        }
        return result;
    }

    public int tagCount() {
        return documents.size();
    }
}
