// Comfort only: everything is readable without this.
for (const block of document.querySelectorAll(".copy")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
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
// Whatever is folded is printed too.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open]):not(.exploration):not(.exploration details)")];
  folded.forEach((fold) => (fold.open = true));
});
addEventListener("afterprint", () => folded.forEach((fold) => (fold.open = false)));
