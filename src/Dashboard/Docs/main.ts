// The build that contains its dependencies: its modules need shims of Node in a browser.
// oxlint-disable-next-line import/no-unassigned-import -- it defines the element
import "openapi-explorer/dist/browser/openapi-explorer.min.js"

document.querySelector("#origin")?.replaceChildren(location.origin)
