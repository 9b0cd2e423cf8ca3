// Comfort only: everything is readable without this.
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const make = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};
const pressed = (name, title, action) => {
  const button = make("button", { type: "button", textContent: name, title, onclick: action });
  button.setAttribute("aria-label", title);
  return button;
};

for (const block of all(".copy")) {
  const button = make("button", { type: "button", textContent: "Copy" });
  button.addEventListener("click", async () => {
    const text = block.querySelector("code").textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      // Pages from a file may not write to the clipboard: the text is selected instead.
      getSelection().selectAllChildren(block.querySelector("code"));
      button.textContent = "Selected";
    }
  });
  block.prepend(button);
}

// One step at a time, beside the source.
const steppers = all("details.stepper").map((stepper) => {
  const scenes = all(".scene", stepper);
  const listings = all(".listing", stepper);
  const slider = make("input", { type: "range", min: 0, max: scenes.length - 1, value: 0 });
  const place = make("output");
  slider.setAttribute("aria-label", "step");
  let at = 0;
  const go = (to) => {
    at = Math.min(Math.max(to, 0), scenes.length - 1);
    const scene = scenes[at];
    scenes.forEach((one) => (one.hidden = one !== scene));
    // The end has no line of its own: the last one stays.
    if (scene.dataset.listing) {
      listings.forEach((one, number) => (one.hidden = number !== Number(scene.dataset.listing)));
      all("tr.now", stepper).forEach((row) => row.classList.remove("now"));
      const shown = listings[scene.dataset.listing];
      const row = shown.querySelector(`tr[data-line="${scene.dataset.line}"]`);
      row?.classList.add("now");
      if (row) shown.scrollTop = row.offsetTop - shown.clientHeight / 2;
    }
    slider.value = at;
    place.textContent = `${at + 1} of ${scenes.length}`;
  };
  const move = (by) => go(at + by);
  slider.addEventListener("input", () => go(Number(slider.value)));
  const controls = make(
    "div",
    { className: "controls" },
    pressed("|◀", "first step", () => go(0)),
    pressed("◀", "step back (left arrow)", () => move(-1)),
    pressed("▶", "next step (right arrow)", () => move(1)),
    pressed("▶|", "last step", () => go(scenes.length - 1)),
    slider,
    place,
  );
  stepper.querySelector(".views").before(controls);
  stepper.classList.add("live");
  stepper.open = true;
  go(0);
  return { stepper, move };
});

// The index and each method are pages. Without a hash, or with one that is not known, the index is shown.
const sections = all("body > section");
const isPaged = sections.length > 1;
const shownSection = () => sections.find((section) => section.id === location.hash.slice(1).split("-violation")[0]);
const show = () => {
  const shown = shownSection();
  document.body.classList.toggle("at-method", Boolean(shown));
  sections.forEach((section) => section.classList.toggle("shown", section === shown));
};
const rows = all("tr.method");
const visibleRows = () => rows.filter((row) => !row.hidden && row.querySelector("a"));
const openAt = (by) => {
  const order = visibleRows().map((row) => row.querySelector("a").hash.slice(1));
  const at = order.indexOf(shownSection()?.id);
  const next = order[at < 0 ? (by > 0 ? 0 : order.length - 1) : at + by];
  if (next) location.hash = next;
};
let search;
if (isPaged) {
  document.body.classList.add("paged");
  document.body.prepend(
    make(
      "nav",
      { className: "pages" },
      pressed("All methods", "to the index (u)", () => (location.hash = "index")),
      pressed("‹ Previous", "the method before (k)", () => openAt(-1)),
      pressed("Next ›", "the method behind (j)", () => openAt(1)),
    ),
  );
  search = make("input", { type: "search", placeholder: "Filter methods ( / )" });
  search.setAttribute("aria-label", "filter methods");
  const boxes = ["violated", "incomplete", "holds"].map((verdict) => make("input", { type: "checkbox", checked: true, value: verdict }));
  const shownCount = make("output", { className: "quiet" });
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = boxes.filter((box) => box.checked).map((box) => box.value);
    for (const group of all("tbody.methods")) {
      const heading = group.querySelector(".class").textContent.toLowerCase();
      for (const row of all("tr.method", group)) {
        const text = `${heading} ${row.textContent.toLowerCase()}`;
        row.hidden = !verdicts.includes(row.dataset.verdict) || !words.every((word) => text.includes(word));
      }
      group.hidden = all("tr.method", group).every((row) => row.hidden);
    }
    const number = rows.filter((row) => !row.hidden).length;
    shownCount.textContent = number < rows.length ? `${number} of ${rows.length}` : "";
  };
  [search, ...boxes].forEach((input) => input.addEventListener("input", filter));
  document.querySelector("table.summary").before(
    make("div", { className: "filter", role: "search" }, search, ...boxes.map((box) => make("label", {}, box, ` ${box.value}`)), shownCount),
  );
  addEventListener("hashchange", () => {
    show();
    scrollTo(0, 0);
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  });
  show();
}

addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range";
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (isTyping) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const stepper = steppers.find((one) => one.stepper.open && one.stepper.contains(event.target)) ?? steppers.find((one) => one.stepper.open && one.stepper.getClientRects().length);
  const actions = {
    "/": () => search && ((location.hash = "index"), search.focus()),
    u: () => isPaged && (location.hash = "index"),
    j: () => isPaged && openAt(1),
    k: () => isPaged && openAt(-1),
    ArrowLeft: () => stepper?.move(-1),
    ArrowRight: () => stepper?.move(1),
  };
  if (!actions[event.key] || (event.target.type === "range" && event.key.startsWith("Arrow"))) return;
  event.preventDefault();
  actions[event.key]();
});

// Whatever is folded is printed too, but for explorations and steps, which would be many pages.
let folded = [];
addEventListener("beforeprint", () => {
  folded = all("details:not([open]):not(.exploration):not(.exploration details):not(.stepper)");
  folded.forEach((fold) => (fold.open = true));
});
addEventListener("afterprint", () => folded.forEach((fold) => (fold.open = false)));
