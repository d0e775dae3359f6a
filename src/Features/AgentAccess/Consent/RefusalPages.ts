import { Effect } from "effect"
import type { ErrorOut } from "oidc-provider"
import { htmlPage } from "../../../Pages/Html/HtmlPage.ts"
import { type Html, linkButton } from "../../../Pages/Html/HtmlParts.ts"
import { operatorBranding } from "../../../Pages/OperatorBranding.ts"
import { redirectTarget } from "./RedirectTarget.ts"

const maxShownLength = 300

/** The pages have the operator's name and mark. */
export const refusalPages = Effect.map(operatorBranding, ({ frame }) => {
  const refusedPage = (
    status: number,
    { error, error_description = "" }: ErrorOut,
    parts: ReadonlyArray<Html> = []
  ) =>
    htmlPage({
      ...frame,
      status,
      title: "The agent's request was refused",
      paragraphs: [
        "Nothing was granted. Start again in the agent. If it fails again, tell its makers the error below."
      ],
      parts,
      facts: [
        ["Error", error.slice(0, maxShownLength), "code"],
        ["Details", error_description.slice(0, maxShownLength)]
      ]
    })

  /** Shows the error in `location`. The member is sent there only by a click. */
  const refusedWithLinkPage = (location: string) => {
    const { hash, searchParams } = new URL(location)
    // The errors of `response_type=token` are in the fragment.
    const outcome = searchParams.has("error") ? searchParams : new URLSearchParams(hash.slice(1))
    return refusedPage(400, {
      error: outcome.get("error") ?? "",
      error_description: outcome.get("error_description") ?? ""
    }, [linkButton(`Return to ${redirectTarget(location).name}`, location)])
  }

  const tooManyRequestsPage = (open: number) =>
    htmlPage({
      ...frame,
      status: 429,
      // In seconds: each open request has ended by then.
      retryAfter: "1800",
      state: "over",
      title: "Too many requests for access are open",
      paragraphs: [
        `${open} requests of agents wait for your decision, and there is no place for another one.`,
        "Allow or cancel one of them in the page where it is open, or wait: each ends after 30 minutes.",
        "Nothing was granted here. Start again in the agent afterwards."
      ]
    })

  const requestEndedPage = htmlPage({
    ...frame,
    status: 400,
    state: "over",
    title: "This request has ended",
    paragraphs: [
      "It was answered before, is older than 30 minutes, or began in another browser.",
      "Nothing was granted here. Start again in the agent."
    ]
  })

  const signInPage = (dashboard: string, next: string) =>
    htmlPage({
      ...frame,
      status: 401,
      title: "Sign in to continue",
      paragraphs: ["An agent asks to use your connected accounts. Sign in to see which agent it is and to decide."],
      parts: [linkButton("Sign in", `${dashboard}?next=${encodeURIComponent(next)}`, "primary")]
    })

  return { refusedPage, refusedWithLinkPage, requestEndedPage, signInPage, tooManyRequestsPage }
})
