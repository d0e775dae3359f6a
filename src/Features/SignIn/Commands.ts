import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { adminApi } from "../../Cli/ApiClient.ts"
import { Failure, reportFailure } from "../../Cli/Failure.ts"
import { formatTime } from "../../Cli/Lists.ts"
import { print } from "../../Cli/Output.ts"
import type { Member } from "../../Domain/Member.ts"

interface MemberPage {
  readonly members: ReadonlyArray<Member>
  readonly cursor: string | null
}

const findMember = Effect.fnUntraced(function*(api: Effect.Success<typeof adminApi>, who: string) {
  let cursor: string | null = ""
  while (cursor !== null) {
    const page: MemberPage = yield* api.members.list({ query: { limit: 200, ...(cursor === "" ? {} : { cursor }) } })
    const member = page.members.find(({ email, id }) => id === who || email.toLowerCase() === who.toLowerCase())
    if (member !== undefined) return member
    cursor = page.cursor
  }
  return yield* new Failure({
    exit: "refused",
    message: `No member has the e-mail address or id ${who}`,
    hint: "`oa member list` lists the members, `oa member create` creates one."
  })
})

export const link = Command.make(
  "link",
  { who: Argument.String("email or id").pipe(Argument.withDescription("E-mail address or id of the member")) },
  Effect.fnUntraced(function*({ who }) {
    const api = yield* adminApi
    const { email, id } = yield* findMember(api, who)
    const created = yield* api.memberLinks.create({ params: { id } })
    yield* print(created, () =>
      [
        created.url,
        `It signs ${email} in once, until ${formatTime(created.expires_at)}, and replaces an earlier link.`
      ].join("\n"))
  }, reportFailure)
).pipe(
  Command.withDescription("Make a link with which a member signs in and sets a password: an invitation, or a recovery"),
  Command.withExamples([{ command: "oa member link you@example.com" }])
)
