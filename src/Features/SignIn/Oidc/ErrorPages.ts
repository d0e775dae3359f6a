import { Effect, Layer } from "effect"
import { withPages } from "../../../Http/Pages/SignInPages.ts"
import { linkButton } from "../../../Pages/Html/HtmlParts.ts"
import { operatorBranding } from "../../../Pages/OperatorBranding.ts"
import { ownDashboardUrl } from "../../../Settings.ts"
import { MemberSignInErrorPages } from "./Contract.ts"

export const MemberSignInErrorPagesLayer = Layer.effect(
  MemberSignInErrorPages,
  Effect.gen(function*() {
    const url = yield* ownDashboardUrl
    const { frame } = yield* operatorBranding
    return withPages(frame, ({ code, message }) => ({
      state: "refused",
      title: code === "upstream_unreachable" ? "The provider does not answer" : "You are not signed in",
      paragraphs: [
        message,
        "Try again, or sign in another way. If it fails again, give your admin the details for support."
      ],
      parts: [linkButton("Open the dashboard", `${url}/dashboard`, "primary")]
    }))
  })
)
