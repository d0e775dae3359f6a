// The build that contains its dependencies: its modules need shims of Node in a browser.
// oxlint-disable-next-line import/no-unassigned-import -- it defines the element
import "openapi-explorer/dist/browser/openapi-explorer.min.js"

// The typeface of the dashboard. Without a built dashboard it is absent, and the system's stands in.
document.fonts.add(new FontFace("Geist", "url(/connect/font)", { weight: "100 900", display: "swap" }))

document.querySelector("#origin")?.replaceChildren(location.origin)
