import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId, MemberId } from "../../../Domain/Ids.ts"
import { textArray } from "../../../Sql/BulkStatement.ts"
import { rowsOf, valuesOf } from "../../../Sql/Rows.ts"
import type { AlertChoices } from "../Alerts.ts"
import { mailEvents } from "../Declared.ts"

export type Chosen = Pick<AlertChoices, "events" | "digest_client_ids">

/** What each member wants by e-mail: the table `alert_choices`. */
export class Choices extends Context.Service<Choices, {
  readonly of: (memberId: MemberId) => Effect.Effect<Chosen>
  readonly set: (memberId: MemberId, chosen: Chosen) => Effect.Effect<void>
  readonly wanting: (event: string) => Effect.Effect<ReadonlyArray<MemberId>>
  /** Returns the members without a digest of the week, and notes that they have one. */
  readonly takeDigests: (week: Date) => Effect.Effect<ReadonlyArray<MemberId>>
  /** `type` is that of an event, or `digest`. */
  readonly stop: (memberId: MemberId, type: string) => Effect.Effect<void>
  readonly delete: (memberId: MemberId) => Effect.Effect<void>
}>()("openaccounts/Features/Alerts/Mail/Choices") {
  static readonly layer = Layer.effect(
    Choices,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const of = (memberId: MemberId) =>
        Effect.map(
          choices.first(sql`SELECT events, digest_client_ids FROM alert_choices WHERE member_id = ${memberId}`),
          Option.match({
            onNone: (): Chosen => ({ events: [], digest_client_ids: [] }),
            onSome: ({ digest_client_ids, events }): Chosen => ({
              events: mailEvents.filter((event) => events.includes(event)),
              digest_client_ids
            })
          })
        )

      const set = Effect.fn("Choices.set")(
        function*(memberId: MemberId, { digest_client_ids: clients, events }: Chosen) {
          const digests = clients === null ? sql`NULL::text[]` : sql`${textArray(clients)}`
          yield* sql`
          INSERT INTO alert_choices (member_id, events, digest_client_ids, digested_at)
          VALUES (${memberId}, ${textArray([...new Set(events)])}, ${digests},
            ${new Date(yield* Clock.currentTimeMillis)})
          ON CONFLICT (member_id) DO UPDATE SET events = excluded.events,
            digest_client_ids = excluded.digest_client_ids, digested_at = CASE
              WHEN alert_choices.digest_client_ids = '{}' THEN excluded.digested_at ELSE alert_choices.digested_at END`
        },
        Effect.orDie
      )

      return Choices.of({
        of,
        set,
        wanting: (event) => members.all(sql`SELECT member_id FROM alert_choices WHERE ${event} = ANY(events)`),
        takeDigests: (week) =>
          members.all(sql`
            UPDATE alert_choices SET digested_at = ${week}
            WHERE digested_at < ${week} AND (digest_client_ids IS NULL OR digest_client_ids <> '{}')
            RETURNING member_id`),
        stop: (memberId, type) =>
          Effect.orDie(Effect.asVoid(
            type === digestType
              ? sql`UPDATE alert_choices SET digest_client_ids = '{}' WHERE member_id = ${memberId}`
              : sql`UPDATE alert_choices SET events = array_remove(events, ${type}) WHERE member_id = ${memberId}`
          )),
        delete: (memberId) => Effect.orDie(Effect.asVoid(sql`DELETE FROM alert_choices WHERE member_id = ${memberId}`))
      })
    })
  )
}

export const digestType = "digest"

const choices = rowsOf(
  Schema.Struct({
    events: Schema.Array(Schema.String),
    digest_client_ids: Schema.NullOr(Schema.Array(ClientId))
  })
)
const members = valuesOf(MemberId)
