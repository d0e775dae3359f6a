import { useState } from "react"

export type Theme = "" | "light" | "dark"

const storageKey = "theme"

export const themeOf = (value: string | null): Theme => value === "light" || value === "dark" ? value : ""

/** Runs before the first paint, so that nothing flashes. */
export const applyTheme = (): Theme => {
  const theme = themeOf(localStorage.getItem(storageKey))
  document.documentElement.dataset["theme"] = theme
  return theme
}

export const useTheme = (): readonly [Theme, (theme: Theme) => void] => {
  const [theme, setTheme] = useState(() => themeOf(localStorage.getItem(storageKey)))
  return [theme, (next) => {
    localStorage.setItem(storageKey, next)
    setTheme(applyTheme())
  }]
}
