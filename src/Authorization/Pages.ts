import type { ErrorOut } from "oidc-provider"
import { htmlPage } from "../Http/HtmlPage.ts"
import { linkButton } from "../Http/HtmlParts.ts"

const maxShownLength = 300

export const refusedPage = (status: number, { error, error_description = "" }: ErrorOut) =>
  htmlPage({
    status,
    title: "The agent's request was refused",
    paragraphs: [
      "Nothing was granted. Start again in the agent. If it fails again, tell its makers the error below."
    ],
    facts: [
      ["Error", error.slice(0, maxShownLength), "code"],
      ["Details", error_description.slice(0, maxShownLength)]
    ]
  })

export const requestEndedPage = htmlPage({
  status: 400,
  state: "over",
  title: "This request is over",
  paragraphs: [
    "It was answered before, is older than 30 minutes, or began in another browser.",
    "Nothing was granted here. Start again in the agent."
  ]
})

export const signInPage = (dashboard: string, next: string) =>
  htmlPage({
    status: 401,
    title: "Sign in to continue",
    paragraphs: ["An agent asks to use your connected accounts. Sign in to see which agent it is and to decide."],
    parts: [linkButton("Sign in", `${dashboard}?next=${encodeURIComponent(next)}`, "primary")]
  })
