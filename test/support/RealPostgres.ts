import { Context, Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { Client } from "pg"
import { type PostgresOptions, startPostgres } from "./PostgresServer.ts"

const makeDatabases = (port: string | number) => {
  const addressOf = (database: string) => `postgres://postgres:password@127.0.0.1:${port}/${database}`
  const manage = (statement: string) =>
    Effect.promise(async () => {
      const client = new Client({ connectionString: addressOf("postgres") })
      await client.connect()
      await client.query(statement).finally(() => client.end())
    })
  return Effect.gen(function*() {
    const created: Array<string> = []
    yield* Effect.addFinalizer(() =>
      Effect.forEach(created, (name) => manage(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`), { discard: true })
    )
    return Effect.suspend(() => {
      const name = `test_${randomUUID().replaceAll("-", "")}`
      created.push(name)
      return Effect.as(manage(`CREATE DATABASE ${name}`), Redacted.make(addressOf(name)))
    })
  })
}

/** Databases of the Postgres server that all tests share. They are dropped with the layer. */
export class RealPostgres extends Context.Service<RealPostgres, {
  readonly createDatabase: Effect.Effect<Redacted.Redacted>
}>()("openaccounts/test/RealPostgres") {
  static readonly layer = Layer.effect(
    RealPostgres,
    Effect.map(
      Effect.suspend(() => makeDatabases(process.env["TEST_POSTGRES_PORT"] ?? "")),
      (createDatabase) => ({ createDatabase })
    )
  )
}

/** A server of its own, for tests that stop it or change more of it than their database. */
export class OwnPostgres extends Context.Service<OwnPostgres, {
  readonly createDatabase: Effect.Effect<Redacted.Redacted>
  readonly stop: Effect.Effect<void>
  readonly start: Effect.Effect<void>
  readonly startWith: (variables: Readonly<Record<string, string>>) => Effect.Effect<void>
}>()("openaccounts/test/OwnPostgres") {
  static readonly make = Effect.fnUntraced(function*(options: PostgresOptions = {}) {
    const server = yield* Effect.acquireRelease(
      Effect.promise(() => startPostgres(options)),
      ({ remove }) => Effect.promise(remove)
    )
    return {
      createDatabase: yield* makeDatabases(server.port),
      stop: Effect.promise(server.stop),
      start: Effect.promise(() => server.start()),
      startWith: (variables: Readonly<Record<string, string>>) => Effect.promise(() => server.start(variables))
    }
  })

  static readonly layer = Layer.effect(OwnPostgres, OwnPostgres.make())
}
