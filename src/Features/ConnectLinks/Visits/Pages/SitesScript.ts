/**
 * Adds to each list of choices what a form without script cannot have: all, none, only this one, and a search for lists
 * that are longer than a screen.
 */
export const sitesScript = `
const button = (text, onClick) => {
  const made = document.createElement("button")
  made.type = "button"
  made.textContent = text
  made.addEventListener("click", onClick)
  return made
}
for (const list of document.querySelectorAll(".scroll")) {
  const legend = list.querySelector("legend")
  const rows = [...list.querySelectorAll(".choice")].map((label) => {
    const row = document.createElement("div")
    row.className = "site"
    label.replaceWith(row)
    const name = label.querySelector("span").textContent
    const only = button("Only this one", () => tick((each) => each === row, rows))
    only.setAttribute("aria-label", "Only this one: " + name)
    row.append(label, only)
    return row
  })
  const tick = (isTicked, among) => {
    for (const row of among) row.querySelector("input").checked = isTicked(row)
  }
  const shown = () => rows.filter((row) => !row.hidden)
  const bar = document.createElement("div")
  bar.className = "actions small"
  bar.append(button("All", () => tick(() => true, shown())), button("None", () => tick(() => false, shown())))
  if (rows.length > 6) {
    const search = document.createElement("input")
    search.type = "search"
    search.placeholder = "Search"
    search.setAttribute("aria-label", "Search: " + legend.textContent)
    search.addEventListener("input", () => {
      const text = search.value.trim().toLowerCase()
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(text)
    })
    search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault()
    })
    bar.prepend(search)
  }
  legend.after(bar)
}
`
