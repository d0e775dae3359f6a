import { type ComponentType, useEffect } from "react"
import { loadLater } from "../Parts/LoadLater.tsx"
import type { Route } from "./FeaturePages.ts"

const preloads = new Map<string, () => Promise<void>>()

const placeholder = <p className="muted" aria-busy>Loading the page</p>

/** A page with a file of its own, which is loaded when the pointer or the focus reaches a link to it. */
export const lazyRoute = (path: string, load: () => Promise<Route["page"]>): Route => {
  const page = loadLater(load, placeholder)
  preloads.set(path.replace(/:id$/, ""), page.preload)
  return { path, page }
}

/** A part of a page. It may show nothing. Parts below it in `in-order` wait for it. */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  loadLater(load, <span aria-busy />)

export const lazyTab = (load: () => Promise<ComponentType>) => loadLater(load, placeholder)

export const usePreloading = () =>
  useEffect(() => {
    const onApproach = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null
      const path = link?.pathname.replace(/^\/dashboard/, "") ?? ""
      const preload = preloads.get(path) ?? preloads.get(path.replace(/[^/]+$/, ""))
      // The page reports a failure to load it.
      preload?.().catch(() => undefined)
    }
    const events = ["pointerover", "focusin"]
    for (const event of events) document.addEventListener(event, onApproach)
    return () => {
      for (const event of events) document.removeEventListener(event, onApproach)
    }
  }, [])
