/**
 * A feature of a team's own: while a client is frozen, nothing writes through its connections. It has a table, routes, a
 * page and a step in each call that writes.
 */
import { Effect, Layer, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { type CallStep, type Feature, FeatureCall, Forbidden, ManagerRequired, served } from "../../src/index.ts"

const params = { client_id: Schema.String }

class FreezesGroup extends HttpApiGroup.make("freezes")
  .add(
    HttpApiEndpoint.get("list", "/", { success: Schema.Struct({ client_ids: Schema.Array(Schema.String) }) }),
    HttpApiEndpoint.put("freeze", "/:client_id", { params, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.delete("thaw", "/:client_id", { params, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.get("page", "/page", { success: Schema.String })
  )
  .middleware(ManagerRequired)
  .prefix("/admin/v1/freezes")
{}

export const FreezesApi = served([FreezesGroup])

const query = <A>(statement: Effect.Effect<A, SqlError>) => Effect.orDie(statement)

/** The one place that knows the table. */
const makeFreezes = Effect.map(SqlClient.SqlClient, (sql) => {
  return {
    isFrozen: (clientId: string) =>
      Effect.map(query(sql`SELECT 1 FROM frozen_clients WHERE client_id = ${clientId}`), ({ length }) => length > 0),
    list: Effect.map(
      query(sql<{ readonly client_id: string }>`SELECT client_id FROM frozen_clients ORDER BY client_id`),
      (rows) => rows.map(({ client_id }) => client_id)
    ),
    freeze: (clientId: string) =>
      Effect.asVoid(query(sql`INSERT INTO frozen_clients (client_id) VALUES (${clientId}) ON CONFLICT DO NOTHING`)),
    thaw: (clientId: string) => Effect.asVoid(query(sql`DELETE FROM frozen_clients WHERE client_id = ${clientId}`))
  }
})

const Handlers = HttpApiBuilder.group(
  FreezesApi,
  "freezes",
  Effect.fn(function*(handlers) {
    const { freeze, list, thaw } = yield* makeFreezes

    return handlers
      .handle("list", () => Effect.map(list, (client_ids) => ({ client_ids })))
      .handle("freeze", ({ params }) => freeze(params.client_id))
      .handle("thaw", ({ params }) => thaw(params.client_id))
      .handleRaw("page", () =>
        Effect.map(list, (ids) =>
          HttpServerResponse.text(
            `<!doctype html><title>Frozen clients</title><ul>${ids.map((id) => `<li>${escape(id)}`).join("")}</ul>`,
            { contentType: "text/html; charset=utf-8" }
          )))
  })
)

const escape = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Runs before previews and approvals, once the connection of a call is known. */
const step = Effect.map(makeFreezes, ({ isFrozen }): CallStep => ({
  name: "freezes",
  of: "writes",
  at: "permitted",
  wrap: (next) =>
    Effect.fn("refuseFrozenClient")(function*(call) {
      const clientId = call.connection.client_id
      if (clientId !== null && (yield* isFrozen(clientId))) {
        return yield* new Forbidden({ message: "The client is frozen: nothing may write through its connections." })
      }
      return yield* next(call)
    })
}))

export const freezes: Feature = {
  name: "freezes",
  layer: HttpApiBuilder.layer(FreezesApi).pipe(Layer.provide(Handlers)),
  call: Layer.effect(FeatureCall, step),
  owns: {
    groups: [FreezesGroup],
    migrations: {
      "9001_create_frozen_clients": Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => Effect.asVoid(sql`CREATE TABLE frozen_clients (client_id text PRIMARY KEY)`)
      )
    }
  }
}
