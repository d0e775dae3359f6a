import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { gdocs } from "../../../../src/Providers/Gdocs/Provider.ts"
import { docsTools } from "../../../../src/Providers/Gdocs/Tools.ts"
import { google } from "../../../../src/Providers/Google/IdentityProvider.ts"
import { scopes } from "../../../../src/Sandbox/Identity/Scopes.ts"
import { at, call, clientsOf, now, oauthConnection, sandboxAt } from "../../SandboxFixture.ts"

const callTool = (tool: string, input: object) =>
  Effect.flatMap(
    oauthConnection(google, scopes.documents),
    ({ access }) => call({ ...gdocs, tools: docsTools }, tool, input, access)
  )

layer(clientsOf(sandboxAt(now)))("Document tools on the sandbox", (it) => {
  it.effect("a new sandbox has the document Plan, with nested lists, a table, links, emoji and a child tab", () =>
    Effect.gen(function*() {
      const text = yield* callTool("docs_read", { document: "sandbox-plan", tab: "*" })
      const markdown = String(at(text, "text"))
      for (
        const part of [
          "# Goals",
          "  - Ten guides for queries on page two",
          "    - Start with “how to prune roses”",
          "| Guides \\| edited | April | 900 |",
          "[shop's report](https://www.fernhill.example/pages/about-us)",
          "**more secateurs**",
          "- [ ] Who takes the photographs?",
          "1986\\. Not a list",
          "Spring plan 🌱",
          "\"Notes\"",
          "From the meeting with the nursery."
        ]
      ) assert.include(markdown, part)
    }))
})
