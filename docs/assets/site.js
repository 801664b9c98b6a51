// What scrolls sideways can be scrolled with the keyboard, and says that it can.
const boxes = ".md-typeset__scrollwrap, .output:not(.highlight), .memory-fidelity, figure";
const names = { FIGURE: "Figure, scrolls sideways" };

function offer(box) {
  const scrolls = box.scrollWidth > box.clientWidth;
  if (scrolls === box.hasAttribute("tabindex")) return;
  if (scrolls) {
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", names[box.tagName] ?? "Table, scrolls sideways");
  } else {
    for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
  }
}

const sizes = new ResizeObserver((entries) => entries.forEach((entry) => offer(entry.target)));
const watch = () => document.querySelectorAll(boxes).forEach((box) => sizes.observe(box));
watch();
// The theme wraps tables after the page was loaded.
new MutationObserver(watch).observe(document.querySelector("article"), { childList: true, subtree: true });
