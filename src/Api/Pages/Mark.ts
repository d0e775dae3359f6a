/** The arc of the service's mark, in a square of 32. `Dashboard/icon.svg` is the mark for tabs of the browser. */
export const markArc = "M10 16a6 6 0 1 1 6 6"
