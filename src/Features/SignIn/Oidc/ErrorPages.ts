import { Layer } from "effect"
import type { ApiError } from "../../../Api/Errors.ts"
import { type Explanation, withPages } from "../../../Http/Pages/SignInPages.ts"
import { MemberSignInErrorPages } from "./Contract.ts"

const explain = (error: ApiError): Explanation => ({
  state: "refused",
  title: error.code === "upstream_unreachable" ? "The provider does not answer" : "You are not signed in",
  paragraphs: [
    error.message,
    "Go back to the dashboard to try again or to sign in another way. If it fails again, give your admin the details for support."
  ]
})

export const MemberSignInErrorPagesLayer = Layer.succeed(MemberSignInErrorPages, withPages(explain))
