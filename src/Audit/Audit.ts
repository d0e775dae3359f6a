import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Equal, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type AuditAction, auditActions, AuditEntry, type AuditFilter, isByNonMember } from "../Declared/Audit.ts"
import type { NewEvent } from "../Declared/Event.ts"
import { KeyId } from "../Domain/Ids.ts"
import { idMillis, newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { Actor, CurrentActor } from "../Domain/Request/Actor.ts"
import { CurrentAddress } from "../Domain/Request/CurrentAddress.ts"
import { redactJson } from "../Secrets/Redaction/Redaction.ts"
import { rowsOf, selectFitting } from "../Sql/Rows.ts"
import { inTransaction } from "../Sql/Transaction.ts"
import { Events } from "./Events.ts"
import { limitRefusals } from "./RefusalLimit.ts"

export interface AuditedChange {
  readonly action: AuditAction
  readonly subject: string | null
  readonly details?: AuditEntry["details"]
  readonly event?: NewEvent
}

export class Audit extends Context.Service<Audit, {
  /**
   * Runs a change and records it with its events in the same transaction, as made by `CurrentActor`. `describe` returns
   * no entries when nothing has changed. The change must not send requests (see `inTransaction`).
   */
  readonly change: <A, E, R>(
    change: Effect.Effect<A, E, R>,
    describe: (result: A) => ReadonlyArray<AuditedChange>
  ) => Effect.Effect<A, E, R>
  /**
   * Records a refused token or sign-in: at most ten per hour and source, 100 per hour in all. A later entry has the
   * number of the others as `further_refusals`. Never fails.
   */
  readonly refusal: (refusal: AuditedChange) => Effect.Effect<void>
  readonly list: (filter: AuditFilter, page: PageRequest) => Effect.Effect<Page<AuditEntry>>
}>()("openaccounts/Audit/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events

      const record = Effect.fnUntraced(function*({ action, details = {}, event, subject }: AuditedChange) {
        const { key_id = null, member_id, type } = yield* CurrentActor
        const id = yield* newId("aud")
        yield* sql`INSERT INTO audit ${
          sql.insert({
            id,
            at: new Date(idMillis(id)),
            actor_type: type,
            member_id,
            key_id,
            action,
            subject_type: subjectTypeOf(action),
            subject_id: subject,
            address: type === "system" && !isByNonMember(action) ? null : yield* CurrentAddress,
            details: PgTypes.jsonb(redactJson(details))
          })
        }`
        if (event !== undefined) yield* events.record(event)
      })

      const recordRefusal = (refusal: AuditedChange) =>
        Effect.catch(record(refusal), (error) => Effect.logWarning(`${refusal.action} could not be recorded`, error))

      const limited = yield* limitRefusals((action, further_refusals) =>
        recordRefusal({ action, subject: null, details: { further_refusals } })
      )

      const isBy = (actor: string) => {
        if (isActorType(actor)) return sql`actor_type = ${actor}`
        return isKeyId(actor) ? sql`key_id = ${actor}` : sql`member_id = ${actor}`
      }

      const matches = ({ action, actor, since, subject, until }: AuditFilter) =>
        sql.and([
          sql`true`,
          ...(action === undefined ? [] : [sql`action = ${action}`]),
          ...(actor === undefined ? [] : [isBy(actor)]),
          ...(subject === undefined
            ? []
            : [subjectTypes.has(subject) ? sql`subject_type = ${subject}` : sql`subject_id = ${subject}`]),
          ...(since === undefined ? [] : [sql`at >= ${since}`]),
          ...(until === undefined ? [] : [sql`at < ${until}`])
        ])

      return Audit.of({
        change: (change, describe) =>
          inTransaction(sql)(
            Effect.tap(change, (result) => Effect.orDie(Effect.forEach(describe(result), record, { discard: true })))
          ),

        refusal: (refusal) => limited(refusal.action, recordRefusal(refusal)),

        list: (filter, page) =>
          selectFitting(page, (cursor, count) =>
            entries.all(sql`
              SELECT id, at, action,
                CASE WHEN key_id IS NULL THEN json_build_object('type', actor_type, 'member_id', member_id)
                  ELSE json_build_object('type', actor_type, 'member_id', member_id, 'key_id', key_id) END AS actor,
                json_build_object('type', subject_type, 'id', subject_id) AS subject, address, details
              FROM audit
              WHERE ${matches(filter)} AND ${
              cursor === undefined ? sql`true` : sql`at <= ${new Date(idMillis(cursor))} AND id < ${cursor}`
            }
              ORDER BY at DESC, id DESC LIMIT ${count}`))
      })
    })
  )
}

const subjectTypeOf = (action: AuditAction): string => action.slice(0, action.indexOf("."))
const subjectTypes: ReadonlySet<string> = new Set(auditActions.map(subjectTypeOf))

export const changesBetween = (
  before: AuditEntry["details"],
  after: AuditEntry["details"]
): AuditEntry["details"] =>
  Object.fromEntries(
    Object.entries(after).flatMap(([name, to]) => {
      const from = before[name] ?? null
      return Equal.equals(from, to) ? [] : [[name, { from, to }]]
    })
  )

/** The entry of an edit, or none if the edit has changed no detail. */
export const auditedEdit = (
  entry: Omit<AuditedChange, "details">,
  before: AuditEntry["details"],
  after: AuditEntry["details"]
): ReadonlyArray<AuditedChange> => {
  const details = changesBetween(before, after)
  return Object.keys(details).length === 0 ? [] : [{ ...entry, details }]
}

/** The entry of a change, or none if the change has returned none. */
export const ifMade =
  <A>(describe: (made: A) => AuditedChange) => (result: Option.Option<A>): ReadonlyArray<AuditedChange> =>
    Option.toArray(Option.map(result, describe))

const isActorType = Schema.is(Actor.fields.type)
const isKeyId = Schema.is(KeyId)

const entries = rowsOf(Schema.toType(AuditEntry))
