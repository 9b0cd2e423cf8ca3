//! Which times and counts did BLISS's authors publish?
//!
//! "BLISS: Improved Symbolic Execution by Bounded Lazy Initialization with SAT Support", TSE 2015, Tables 1 to 10. Times are wall-clock times on an
//! Intel Core i7-2600, without the time to compute bounds. What cannot be read off a table with certainty is left out: single cells of large scopes,
//! the times of LinkedList.repOK and add (at most a second each), and the row RBLI of BinomialHeap.trace_L1, which repeats that of delete.

/// The authors' techniques, in their order.
pub(super) const TECHNIQUES: [&str; 5] = ["LI", "BLI", "RBLI", "BLISS", "BLISSDB"];

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Time {
    Seconds(u64),
    /// More than the 4 GB that it was given.
    OutOfMemory,
    /// More than the 10 hours that it was given.
    TimedOut,
}

/// How long a technique took for a method such as `TreeSet.bfs`: Tables 1 to 7.
pub(super) fn time(method: &str, technique: &str, scope: usize) -> Option<Time> {
    let (_, first, rows) = TIMES.iter().find(|(known, ..)| *known == method)?;
    let row = TECHNIQUES.iter().position(|known| *known == technique)?;
    match rows[row].split(' ').nth(scope.checked_sub(*first)?)? {
        "-" => None,
        "OOM" => Some(Time::OutOfMemory),
        "TO" => Some(Time::TimedOut),
        time => {
            let (minutes, seconds) = time.split_once(':')?;
            Some(Time::Seconds(minutes.parse::<u64>().ok()? * 60 + seconds.parse::<u64>().ok()?))
        }
    }
}

/// How many partially symbolic structures a technique collected: Tables 9 and 10.
pub(super) fn structures(method: &str, technique: &str, scope: usize) -> Option<u64> {
    // The cache of BLISSDB changes no answer.
    let technique = if technique == "BLISSDB" { "BLISS" } else { technique };
    let of_technique = STRUCTURES.iter().filter(|(known, by, ..)| *known == method && *by == technique);
    of_technique.filter_map(|(_, _, first, counts)| counts.get(scope.checked_sub(*first)?).copied()).next()
}

/// The best techniques for a method, and how many times as fast as LI they are at most: Table 8.
pub(super) fn speed_up(method: &str) -> Option<(&'static str, u64)> {
    SPEED_UPS.iter().find(|(known, ..)| *known == method).map(|(_, techniques, times)| (*techniques, *times))
}

/// The methods that the tables speak of.
#[cfg(test)]
pub(super) fn methods() -> impl Iterator<Item = &'static str> {
    let timed = TIMES.iter().map(|(method, ..)| *method);
    timed.chain(STRUCTURES.iter().map(|(method, ..)| *method)).chain(SPEED_UPS.iter().map(|(method, ..)| *method))
}

/// SubjectMethod, first scope, and for each technique minutes and seconds at the scopes from there on.
const TIMES: &[(&str, usize, [&str; 5])] = &[
    (
        "TreeSet.bfs",
        7,
        [
            "00:05 00:17 00:58 03:37 13:43 53:43 179:10 OOM",
            "00:03 00:11 00:31 02:15 09:33 39:25 OOM",
            "00:01 00:04 00:11 00:38 02:29 09:50 39:28 OOM",
            "00:01 00:02 00:03 00:06 00:12 00:29 01:13 03:05 07:45 20:02 55:38",
            "00:01 00:02 00:03 00:05 00:10 00:23 00:56 02:15 05:13 12:58 OOM",
        ],
    ),
    (
        "TreeSet.dfs",
        7,
        [
            "00:02 00:05 00:19 01:13 05:44 OOM",
            "00:01 00:02 00:06 00:26 02:16 OOM",
            "00:00 00:02 00:04 00:16 01:17 08:03 27:38 OOM",
            "00:01 00:04 00:11 00:58 05:06 23:21 135:14 TO",
            "00:01 00:04 00:12 01:10 05:24 22:41 103:26 485:27",
        ],
    ),
    (
        "TreeSet.repOK",
        7,
        [
            "03:34 22:46 150:44 OOM",
            "01:58 15:58 78:49 OOM",
            "00:55 06:38 24:10 194:17 OOM",
            "00:17 00:49 01:57 05:39 22:21 96:36 OOM",
            "00:17 00:49 01:56 05:30 22:11 98:37 OOM",
        ],
    ),
    (
        "TreeSet.contains",
        7,
        [
            "00:05 00:12 00:29 01:07 02:39 06:11 14:35 32:54 75:11 174:47 OOM",
            "00:01 00:02 00:02 00:05 00:12 00:28 01:06 02:37 06:02 13:57 32:37 OOM",
            "00:01 00:02 00:02 00:05 00:12 00:28 01:08 02:38 06:07 14:10 33:03 74:17",
            "00:01 00:02 00:02 00:05 00:13 00:31 01:15 02:54 06:52 16:21 38:15 88:54",
            "00:01 00:02 00:02 00:05 00:13 00:30 01:12 02:49 06:32 15:21 35:47 83:00",
        ],
    ),
    (
        "TreeSet.add",
        7,
        [
            "03:50 23:47 150:57 OOM",
            "02:17 17:02 81:03 OOM",
            "01:12 07:19 25:35 200:55 OOM",
            "00:33 01:30 03:32 09:13 31:01 118:22 OOM",
            "00:34 01:31 03:30 09:04 30:40 119:10 OOM",
        ],
    ),
    (
        "TreeSet.remove",
        7,
        [
            "01:55 07:35 30:11 112:00 417:00 OOM",
            "00:54 04:22 11:12 53:17 235:39 OOM",
            "00:53 04:18 10:56 53:33 237:13 OOM",
            "00:55 04:34 11:57 59:04 OOM",
            "00:54 04:24 11:02 OOM OOM",
        ],
    ),
    (
        "TreeMap.trace_L1",
        1,
        [
            "00:00 00:00 00:01 00:04 00:16 00:57 03:29 12:44 47:03 173:20 OOM",
            "00:00 00:00 00:00 00:02 00:03 00:17 01:30 06:43 15:58 76:21 OOM",
            "00:00 00:00 00:00 00:02 00:03 00:18 01:25 06:31 15:40 74:34 323:47 OOM",
            "00:00 00:00 00:00 00:02 00:03 00:17 01:28 06:49 16:56 81:28 373:01 OOM",
            "00:00 00:00 00:00 00:02 00:03 00:18 01:26 06:41 15:37 76:16 342:54 OOM",
        ],
    ),
    (
        "TreeMap.trace_L2",
        1,
        [
            "00:00 00:14 01:25 07:58 41:30 205:21",
            "00:02 00:15 00:29 04:03 07:50 72:00 OOM",
            "00:02 00:14 00:29 03:23 07:11 60:33 OOM",
            "00:02 00:14 00:29 03:24 07:15 57:32 OOM",
            "00:02 00:15 00:30 03:28 07:22 57:08 OOM",
        ],
    ),
    (
        "TreeMap.trace_L3",
        1,
        [
            "00:49 08:04 73:13 OOM",
            "00:50 08:03 21:46 OOM",
            "00:49 08:11 21:43 OOM",
            "00:49 08:02 21:46 215:34 OOM",
            "00:49 08:07 21:52 216:03 OOM",
        ],
    ),
    (
        "AvlTree.bfs",
        7,
        [
            "00:05 00:16 00:55 03:22 12:43 49:00 OOM",
            "00:01 00:07 00:16 00:35 01:16 09:52 60:03 OOM",
            "00:00 00:01 00:04 00:09 00:14 00:44 03:23 15:54 73:22 OOM",
            "00:00 00:01 00:02 00:03 00:05 00:10 00:22 00:50 01:47 03:56 08:08 16:12 - OOM",
            "00:00 00:01 00:02 00:03 00:05 00:09 00:20 00:42 01:26 02:56 05:36 10:01 - 36:33",
        ],
    ),
    (
        "AvlTree.dfs",
        7,
        [
            "00:03 00:10 00:34 02:03 08:23 OOM",
            "00:01 00:04 00:07 00:14 00:27 03:53 22:30 OOM",
            "00:00 00:01 00:03 00:06 00:13 01:18 08:30 OOM",
            "00:00 00:01 00:03 00:05 00:10 01:38 14:04 90:10 476:05 TO",
            "00:01 00:02 00:03 00:06 00:10 03:18 20:53 111:53 561:25",
        ],
    ),
    (
        "AvlTree.repOK",
        7,
        [
            "01:18 03:49 10:51 29:50 82:10 223:34 OOM",
            "01:03 03:44 10:18 27:19 71:33 219:25 OOM",
            "00:33 02:01 06:32 17:42 37:45 110:42 OOM",
            "00:29 01:25 03:28 07:34 16:23 38:52 103:02 264:35 OOM",
            "00:28 01:24 03:24 07:36 16:25 38:26 104:18 258:11 OOM",
        ],
    ),
    (
        "AvlTree.contains",
        7,
        [
            "00:05 00:12 00:29 01:07 02:42 06:16 14:26 32:46 74:51 OOM",
            "00:00 00:01 00:01 00:01 00:01 00:02 00:05 00:12 00:28 01:08 01:05 01:06 - 02:36",
            "00:00 00:01 00:01 00:01 00:01 00:02 00:05 00:12 00:28 01:06 01:06 01:07 - 02:39",
            "00:00 00:01 00:01 00:01 00:01 00:02 00:05 00:13 00:30 01:11 01:13 01:13 - 03:02",
            "00:00 00:01 00:01 00:01 00:01 00:02 00:05 00:13 00:29 01:11 01:13 01:07 - 02:54",
        ],
    ),
    (
        "AvlTree.insert",
        7,
        [
            "18:28 91:16 OOM",
            "02:03 23:45 30:43 30:36 30:45",
            "01:44 18:37 26:14 26:15 26:07",
            "01:42 19:00 26:30 26:16 26:32",
            "01:44 18:57 26:34 26:06 26:27",
        ],
    ),
    ("AvlTree.remove", 7, ["117:33 OOM", "25:18 443:50 OOM", "18:42 OOM", "18:01 OOM", "18:02 OOM"]),
    (
        "BinomialHeap.bfs",
        10,
        [
            "00:59 03:33 12:52 48:40 171:59 TO",
            "00:18 00:59 03:11 11:38 42:49 140:52 520:12 TO",
            "00:01 00:02 00:05 00:13 00:39 01:20 01:36 02:11 02:40 03:40 07:31",
            "00:00 00:00 00:01 00:01 00:01 00:01 00:01 00:02 00:02 00:03 00:03",
            "00:00 00:00 00:00 00:01 00:01 00:01 00:01 00:01 00:01 00:01 00:02",
        ],
    ),
    (
        "BinomialHeap.dfs",
        10,
        [
            "00:49 02:44 09:07 30:53 103:15 338:52 TO",
            "00:08 00:15 01:00 02:01 08:59 25:45 50:12 111:33 247:05 476:14 TO",
            "00:05 00:12 00:34 01:40 04:47 13:55 45:23 97:10 190:02 374:59 TO",
            "00:08 00:23 01:06 03:40 10:18 32:07 98:17 224:52 450:17 TO",
            "00:10 00:29 01:22 03:53 09:43 28:51 81:16 167:02 486:43 TO",
        ],
    ),
    (
        "BinomialHeap.repOK",
        10,
        [
            "00:25 00:46 01:24 02:34 04:44 08:28 15:13 27:21 50:08 87:44 156:38",
            "00:10 00:17 00:24 00:41 01:04 01:36 02:02 02:30 03:04 03:45 06:23",
            "00:09 00:15 00:21 00:36 01:01 01:31 01:55 02:19 02:46 03:25 05:31",
            "00:09 00:15 00:21 00:36 00:58 01:33 01:56 02:23 02:53 03:28 05:45",
            "00:09 00:15 00:20 00:35 00:58 01:32 01:51 02:15 02:41 03:11 05:30",
        ],
    ),
    (
        "BinomialHeap.extractMinBug",
        10,
        [
            "00:31 00:58 01:38 00:34 00:50 01:49 02:41 04:15 07:00 12:22 20:53",
            "00:16 00:29 00:38 00:18 00:19 00:55 00:58 01:01 01:03 01:34 01:52",
            "00:15 00:27 00:35 00:17 00:19 00:53 01:57 00:58 01:01 01:31 01:46",
            "00:15 00:28 00:35 00:16 00:17 00:55 00:56 00:57 00:59 01:31 01:44",
            "00:15 00:27 00:35 00:16 00:16 00:54 00:56 00:57 00:59 01:31 01:42",
        ],
    ),
    (
        "BinomialHeap.insert",
        1,
        [
            "00:00 00:00 00:01 00:10 01:09 07:03 41:36 243:03 TO",
            "00:00 00:00 00:00 00:02 00:19 02:20 16:16 21:27 22:58 175:17 178:14",
            "00:00 00:00 00:00 00:02 00:16 02:20 16:32 21:49 23:13 172:55 175:57",
            "00:00 00:00 00:00 00:01 00:11 01:43 11:28 16:37 17:35 135:10 136:12",
            "00:00 00:00 00:00 00:01 00:11 01:42 11:25 16:20 17:52 131:25 136:09",
        ],
    ),
    (
        "BinomialHeap.delete",
        1,
        [
            "00:00 00:00 00:01 00:23 07:13 129:06 OOM",
            "00:00 00:00 00:01 00:13 04:50 80:44 OOM",
            "00:00 00:00 00:00 00:05 02:37 56:53 OOM",
            "00:00 00:00 00:00 00:05 01:46 34:39 500:29",
            "00:00 00:00 00:00 00:05 01:47 35:53 OOM",
        ],
    ),
    (
        "BinomialHeap.extractMin",
        1,
        [
            "00:00 00:00 00:00 00:03 00:44 10:20 135:08 OOM",
            "00:00 00:00 00:00 00:01 00:23 04:59 60:16 297:53",
            "00:00 00:00 00:00 00:00 00:13 04:35 57:40 289:32",
            "00:00 00:00 00:00 00:00 00:12 03:45 45:20 223:15",
            "00:00 00:00 00:00 00:00 00:12 03:45 45:54 222:45",
        ],
    ),
    (
        "BinomialHeap.trace_L1",
        1,
        [
            "00:00 00:00 00:04 00:49 11:39 183:29",
            "00:00 00:00 00:02 00:22 07:03 112:03",
            "00:00 00:00 00:01 00:10 03:58 77:53",
            "00:00 00:00 00:01 00:10 02:45 50:08",
            "00:00 00:00 00:01 00:10 02:48 49:50",
        ],
    ),
    (
        "BinomialHeap.trace_L2",
        1,
        [
            "00:02 00:33 09:13 174:40",
            "00:02 00:07 02:58 60:29",
            "00:02 00:07 01:46 27:56",
            "00:02 00:07 01:36 23:43",
            "00:02 00:07 01:36 23:37",
        ],
    ),
    (
        "BinomialHeap.trace_L3",
        1,
        ["00:47 16:26 OOM", "00:47 03:12 136:58", "00:47 03:25 77:47", "00:47 03:16 68:12", "00:47 03:16 68:51"],
    ),
    (
        "BinTree.bfs",
        5,
        [
            "00:00 00:01 00:02 00:05 00:15 00:42 03:51 OOM",
            "00:00 00:00 00:01 00:03 00:11 00:43 02:46 OOM",
            "00:00 00:00 00:01 00:02 00:06 00:17 01:00 03:42 OOM",
            "00:00 00:00 00:01 00:03 00:10 00:38 02:44 OOM",
            "00:00 00:01 00:02 00:04 00:13 00:52 03:06 OOM",
        ],
    ),
    (
        "BinTree.dfs",
        5,
        [
            "00:00 00:00 00:01 00:04 00:11 00:57 03:44 OOM",
            "00:00 00:00 00:01 00:03 00:11 00:43 02:46 OOM",
            "00:00 00:00 00:01 00:03 00:09 00:25 01:35 06:20 26:53",
            "00:00 00:00 00:01 00:03 00:10 00:38 02:44 OOM",
            "00:00 00:01 00:01 00:06 00:26 01:30 08:07 OOM",
        ],
    ),
    (
        "BinTree.repOK",
        5,
        [
            "00:00 00:01 00:03 00:10 00:34 02:03 07:40 OOM",
            "00:00 00:01 00:03 00:09 00:30 01:46 06:37 24:17",
            "00:00 00:01 00:03 00:08 00:24 01:22 04:48 OOM",
            "00:00 00:01 00:03 00:09 00:29 01:43 06:28 OOM",
            "00:00 00:01 00:04 00:13 00:45 02:41 09:45 OOM",
        ],
    ),
    (
        "BinTree.count",
        5,
        [
            "00:00 00:00 00:01 00:04 00:13 00:53 03:43 OOM",
            "00:00 00:00 00:01 00:03 00:10 00:27 01:48 07:30",
            "00:00 00:00 00:01 00:03 00:08 00:23 02:08 OOM",
            "00:00 00:00 00:01 00:04 00:13 00:45 03:58 OOM",
            "00:00 00:01 00:02 00:05 00:24 01:23 08:01 OOM",
        ],
    ),
    (
        "LinkedList.remove",
        10,
        [
            "00:02 00:03 00:04 00:05 00:06 00:07 00:09 00:11 00:13 00:16 00:18",
            "00:02 00:03 00:04 00:05 00:06 00:07 00:09 00:11 00:13 00:16 00:18",
            "00:02 00:03 00:04 00:05 00:06 00:07 00:09 00:11 00:13 00:16 00:18",
            "00:02 00:03 00:04 00:05 00:06 00:07 00:09 00:11 00:14 00:16 00:19",
            "00:02 00:03 00:04 00:05 00:06 00:07 00:09 00:11 00:13 00:16 00:19",
        ],
    ),
];

/// SubjectMethod, best techniques, and how many times as fast as LI they are.
const SPEED_UPS: &[(&str, &str, u64)] = &[
    ("BinomialHeap.bfs", "BLISS/BLISSDB", 36_000),
    ("AvlTree.bfs", "BLISSDB", 326),
    ("TreeSet.bfs", "BLISSDB", 188),
    ("AvlTree.contains", "BLI/RBLI/BLISS/BLISSDB", 188),
    ("TreeSet.repOK", "BLISSDB", 77),
    ("AvlTree.dfs", "BLISS/BLISSDB", 50),
    ("TreeSet.add", "BLISSDB", 43),
    ("BinomialHeap.insert", "BLISSDB", 33),
    ("BinomialHeap.repOK", "RBLI", 28),
    ("BinomialHeap.dfs", "RBLI", 24),
    ("TreeSet.contains", "BLI/RBLI/BLISS/BLISSDB", 14),
    ("BinomialHeap.extractMinBug", "BLISS", 12),
    ("AvlTree.insert", "BLISS", 10),
    ("BinomialHeap.trace_L2", "BLISSDB", 7),
    ("AvlTree.remove", "BLISS", 6),
    ("TreeMap.trace_L2", "RBLI", 5),
    ("TreeMap.trace_L1", "BLI/RBLI/BLISS/BLISSDB", 5),
    ("AvlTree.repOK", "BLISSDB", 5),
    ("BinomialHeap.trace_L3", "RBLI/BLISS", 5),
    ("TreeSet.dfs", "RBLI", 4),
    ("BinomialHeap.trace_L1", "BLISS", 4),
    ("BinomialHeap.delete", "RBLI/BLISS/BLISSDB", 4),
    ("TreeMap.trace_L3", "RBLI", 3),
    ("BinomialHeap.extractMin", "RBLI/BLISS/BLISSDB", 3),
    ("BinTree.bfs", "RBLI", 3),
    ("TreeSet.remove", "BLI/RBLI", 2),
    ("BinTree.dfs", "RBLI", 2),
    ("BinTree.count", "BLI/RBLI", 2),
    ("BinTree.repOK", "RBLI", 1),
    ("LinkedList.repOK", "LI/BLI/RBLI/BLISS/BLISSDB", 1),
    ("LinkedList.add", "LI/BLI/RBLI/BLISS/BLISSDB", 1),
    ("LinkedList.remove", "LI/BLI/RBLI/BLISS/BLISSDB", 1),
];

/// SubjectMethod, technique, first scope, and counts from there on.
const STRUCTURES: &[(&str, &str, usize, &[u64])] = &[
    ("TreeSet.dfs", "LI", 3, &[8, 22, 64, 196, 625, 2055, 6917, 23_713, 82_499]),
    ("TreeSet.dfs", "BLI", 3, &[4, 14, 20, 92, 385, 1511, 3909, 16_353, 64_835]),
    ("TreeSet.dfs", "RBLI", 3, &[4, 8, 14, 42, 151, 555, 1657, 6083, 22_953]),
    ("TreeSet.dfs", "BLISS", 3, &[4, 8, 14, 26, 55, 95, 141, 217, 407]),
    ("BinomialHeap.trace_L1", "LI", 3, &[40, 119, 349, 1049]),
    ("BinomialHeap.trace_L1", "BLI", 3, &[31, 77, 251, 659]),
    ("BinomialHeap.trace_L1", "BLISS", 3, &[25, 43, 130, 547]),
    ("BinomialHeap.delete", "LI", 3, &[16, 58, 196, 647]),
    ("BinomialHeap.delete", "BLI", 3, &[12, 37, 144, 416]),
    ("BinomialHeap.delete", "RBLI", 3, &[9, 20, 77, 363]),
    ("BinomialHeap.delete", "BLISS", 3, &[9, 18, 68, 327]),
    ("TreeMap.trace_L3", "LI", 3, &[775]),
    ("TreeMap.trace_L3", "BLI", 3, &[219]),
    ("TreeMap.trace_L3", "RBLI", 3, &[219]),
    ("TreeMap.trace_L3", "BLISS", 3, &[219]),
    ("BinomialHeap.extractMin", "LI", 3, &[8, 19, 45, 117, 291]),
    ("BinomialHeap.extractMin", "BLI", 3, &[6, 14, 38, 98, 254]),
    ("BinomialHeap.extractMin", "RBLI", 3, &[5, 8, 20, 96, 252]),
    ("BinomialHeap.extractMin", "BLISS", 3, &[5, 8, 20, 96, 252]),
    ("TreeSet.remove", "LI", 3, &[24, 104, 417, 1542, 5367, 17_957, 58_542, 187_710, 595_651]),
    ("TreeSet.remove", "BLI", 3, &[8, 56, 100, 643, 2988, 11_912, 27_395, 106_510, 388_824]),
    ("TreeSet.remove", "RBLI", 3, &[8, 47, 91, 535, 2414, 9642, 22_538, 87_156, 317_473]),
    ("TreeSet.remove", "BLISS", 3, &[8, 47, 91, 493, 2229, 8933, 20_242, 79_621]),
    ("TreeSet.bfs", "LI", 13, &[1_033_411]),
    ("TreeSet.bfs", "BLISS", 13, &[1767]),
    ("TreeSet.repOK", "LI", 9, &[212]),
    ("TreeSet.repOK", "BLISS", 9, &[212]),
    ("TreeSet.contains", "LI", 16, &[65_535]),
    ("TreeSet.contains", "BLISS", 16, &[8191]),
    ("TreeSet.add", "LI", 9, &[141]),
    ("TreeSet.add", "BLISS", 9, &[141]),
    ("TreeMap.trace_L1", "LI", 10, &[209_343]),
    ("TreeMap.trace_L1", "BLISS", 10, &[77_662]),
    ("TreeMap.trace_L2", "LI", 6, &[35_701]),
    ("TreeMap.trace_L2", "BLISS", 6, &[10_038]),
    ("AvlTree.bfs", "LI", 12, &[290_511]),
    ("AvlTree.bfs", "BLISS", 12, &[425]),
    ("AvlTree.dfs", "LI", 11, &[82_499]),
    ("AvlTree.dfs", "BLISS", 11, &[241]),
    ("AvlTree.repOK", "LI", 12, &[425]),
    ("AvlTree.repOK", "BLISS", 12, &[425]),
    ("AvlTree.contains", "LI", 15, &[32_767]),
    ("AvlTree.contains", "BLISS", 15, &[511]),
    ("AvlTree.insert", "LI", 9, &[1640]),
    ("AvlTree.insert", "BLISS", 9, &[477]),
    ("AvlTree.remove", "LI", 7, &[2297]),
    ("AvlTree.remove", "BLISS", 7, &[396]),
    ("BinomialHeap.bfs", "LI", 14, &[4240]),
    ("BinomialHeap.bfs", "BLISS", 14, &[15]),
    ("BinomialHeap.dfs", "LI", 17, &[6764]),
    ("BinomialHeap.dfs", "BLISS", 17, &[18]),
    ("BinomialHeap.repOK", "LI", 20, &[21]),
    ("BinomialHeap.repOK", "BLISS", 20, &[21]),
    ("BinomialHeap.insert", "LI", 8, &[224]),
    ("BinomialHeap.insert", "BLISS", 8, &[184]),
    ("BinomialHeap.extractMinBug", "LI", 20, &[9]),
    ("BinomialHeap.extractMinBug", "BLISS", 20, &[9]),
    ("BinomialHeap.trace_L2", "LI", 4, &[960]),
    ("BinomialHeap.trace_L2", "BLISS", 4, &[264]),
    ("BinomialHeap.trace_L3", "LI", 2, &[103]),
    ("BinomialHeap.trace_L3", "BLISS", 2, &[84]),
    ("BinTree.bfs", "LI", 13, &[1_033_411]),
    ("BinTree.bfs", "BLISS", 13, &[1_033_411]),
    ("BinTree.dfs", "LI", 13, &[1_033_411]),
    ("BinTree.dfs", "BLISS", 13, &[1_033_411]),
    ("BinTree.repOK", "LI", 13, &[1_033_411]),
    ("BinTree.repOK", "BLISS", 13, &[1_033_411]),
    ("BinTree.count", "LI", 13, &[1_033_411]),
    ("BinTree.count", "BLISS", 13, &[1_033_411]),
    ("LinkedList.repOK", "LI", 20, &[20]),
    ("LinkedList.repOK", "BLISS", 20, &[20]),
    ("LinkedList.add", "LI", 20, &[2]),
    ("LinkedList.add", "BLISS", 20, &[2]),
    ("LinkedList.remove", "LI", 20, &[16_234]),
    ("LinkedList.remove", "BLISS", 20, &[16_234]),
];
