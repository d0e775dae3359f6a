import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ClientId } from "../../Domain/Ids.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { rowsOf } from "../../Sql/Rows.ts"

const clients = rowsOf(Schema.Struct({ id: ClientId, name: Schema.String }))

/** The names of clients by their id, ordered by name. */
export const makeClientNames = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    Effect.fnUntraced(function*(ids: ReadonlyArray<ClientId>) {
      const found = yield* clients.all(
        sql`SELECT id, name FROM clients WHERE id = ANY(${textArray([...new Set(ids)])}) ORDER BY lower(name), id`
      )
      return new Map(found.map(({ id, name }) => [id, name]))
    })
)
