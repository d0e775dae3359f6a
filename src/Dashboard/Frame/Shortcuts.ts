import { useEffect } from "react"

export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.matches("input, select, textarea, [contenteditable]") || target.shadowRoot !== null)

const searchFields = `input[aria-keyshortcuts="/"]`

export const useShortcuts = (openPalette: () => void) =>
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        openPalette()
      } else if (event.key === "/" && !isTyping(event)) {
        const field = [...document.querySelectorAll<HTMLElement>(searchFields)].at(-1)
        if (!field) return
        event.preventDefault()
        field.focus()
      }
    }
    addEventListener("keydown", onKeyDown)
    return () => removeEventListener("keydown", onKeyDown)
  }, [openPalette])
