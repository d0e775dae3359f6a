import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { challengeLifetime } from "../../../Domain/SignIn/Passkey.ts"
import { rowsOf } from "../../../Sql/Rows.ts"

export interface ChallengeHolder {
  readonly type: "session" | "browser"
  readonly id: string
}

export class PasskeyChallenges extends Context.Service<PasskeyChallenges, {
  readonly keep: (holder: ChallengeHolder, challenge: string) => Effect.Effect<void>
  readonly redeem: (holder: ChallengeHolder) => Effect.Effect<Option.Option<string>>
}>()("openaccounts/Features/SignIn/Passkeys/PasskeyChallenges") {
  static readonly layer = Layer.effect(
    PasskeyChallenges,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const oldest = Effect.map(
        Clock.currentTimeMillis,
        (now) => new Date(now - Duration.toMillis(challengeLifetime))
      )

      return PasskeyChallenges.of({
        keep: Effect.fn("PasskeyChallenges.keep")(function*(holder, challenge) {
          yield* sql`DELETE FROM passkey_challenges WHERE created_at <= ${yield* oldest}`
          yield* sql`
            INSERT INTO passkey_challenges (holder, challenge, created_at)
            VALUES (${hashOf(holder)}, ${challenge}, ${new Date(yield* Clock.currentTimeMillis)})
            ON CONFLICT (holder) DO UPDATE SET challenge = excluded.challenge, created_at = excluded.created_at`
        }, Effect.orDie),

        redeem: Effect.fn("PasskeyChallenges.redeem")(function*(holder) {
          const found = yield* challenges.first(sql`
            DELETE FROM passkey_challenges WHERE holder = ${hashOf(holder)} RETURNING challenge, created_at`)
          const since = yield* oldest
          return found.pipe(
            Option.filter(({ created_at }) => created_at > since),
            Option.map(({ challenge }) => challenge)
          )
        })
      })
    })
  )
}

const hashOf = ({ id, type }: ChallengeHolder): Buffer => hash("sha256", `${type} ${id}`, "buffer")

const challenges = rowsOf(Schema.Struct({ challenge: Schema.String, created_at: Schema.Date }))
