import { type ReactNode, useEffect, useState } from "react"

const storageKey = "openaccounts.goOn"

/** Time for a sign-in at an OpenID provider. */
const maxAgeMillis = 10 * 60_000

const asksForSignIn = /^\/(oauth|dashboard)\//

/** A page of the service that asked for a sign-in, such as an agent's consent page. Ignores other addresses. */
const pageOf = (next: string | null): string | undefined => {
  if (next === null || !asksForSignIn.test(next)) return undefined
  const { href, origin, pathname } = new URL(next, location.origin)
  return origin === location.origin && asksForSignIn.test(pathname) ? href : undefined
}

/** Survives the sign-in at an OpenID provider, which leaves the dashboard. */
const remember = (next: string) => sessionStorage.setItem(storageKey, JSON.stringify({ next, at: Date.now() }))

export const rememberThisPage = () => {
  if (!new URLSearchParams(location.search).has("next")) remember(`${location.pathname}${location.search}`)
}

const remembered = (): string | undefined => {
  const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? "null")
  if (typeof stored !== "object" || stored === null || !("next" in stored) || !("at" in stored)) return undefined
  const isRecent = Number(stored.at) > Date.now() - maxAgeMillis
  return isRecent ? pageOf(String(stored.next)) : undefined
}

export const usePageToReturnTo = (): string | undefined => {
  const [page] = useState(() => {
    const next = new URLSearchParams(location.search).get("next")
    if (next === null) return remembered()
    remember(next)
    return pageOf(next)
  })
  return page
}

export const ReturnToPage = ({ page }: { readonly page: string }): ReactNode => {
  useEffect(() => {
    sessionStorage.removeItem(storageKey)
    location.replace(page)
  }, [page])
  return (
    <main className="door">
      <h1>You are signed in</h1>
      <a href={page}>Go on</a>
    </main>
  )
}
