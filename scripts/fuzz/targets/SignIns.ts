import { NodeServices } from "@effect/platform-node"
import { ConfigProvider, Effect, Layer, ManagedRuntime, Option, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { deepStrictEqual, strictEqual } from "node:assert"
import { join } from "node:path"
import { makeSignIns } from "../../../src/Connections/Connect/SignIns.ts"
import { ConnectLinkId } from "../../../src/Domain/Ids.ts"
import { authorizeQuery, tokenForm } from "../../../src/Features/AgentAccess/Authorization/AuthorizeRequest.ts"
import { decisionOf, parseSubmitted } from "../../../src/Features/AgentAccess/Consent/ConsentForm.ts"
import { Vault } from "../../../src/Secrets/Vault.ts"
import { Database } from "../../../src/Sql/Database.ts"
import { DataDir } from "../../../src/Sql/DataDir.ts"
import { dataFolder } from "../../../test/support/DatabaseTemplate.ts"
import { expect, partsOf, type Target } from "../Target.ts"

const config = ConfigProvider.layer(
  ConfigProvider.fromUnknown({ ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}` })
)

/** In a run of the tests, a copy of theirs: a new one takes four seconds. */
const database = process.env["TEST_DATABASE"] === undefined
  ? Database.layerEmbedded()
  : Layer.unwrap(Effect.map(dataFolder, (folder) => Database.layerEmbedded(join(folder, "db"))))

const services = Layer.mergeAll(Vault.layer.pipe(Layer.provide(DataDir.layer)), database).pipe(
  Layer.provide(NodeServices.layer),
  Layer.provide(config)
)

const [own, ofVisitor, browser] = ["a", "b", "c"].map((letter) => letter.repeat(43))

/** Two sign-ins under way: one of an operator, one of a visitor in a browser. */
const begin = Effect.gen(function*() {
  const signIns = yield* Effect.scoped(makeSignIns)
  const sql = yield* SqlClient.SqlClient
  const signIn = {
    connectionId: null,
    clientId: null,
    providers: ["gsc"],
    label: "a",
    scopes: [],
    secret: Redacted.make("verifier")
  } as const
  const visit = {
    linkId: ConnectLinkId.make(`lnk_${"0".repeat(26)}`),
    browser: Redacted.make(browser ?? ""),
    opener: null
  }
  yield* signIns.begin({ ...signIn, state: own ?? "", visit: undefined })
  yield* signIns.begin({ ...signIn, state: ofVisitor ?? "", visit })
  return { signIns, count: Effect.map(sql`SELECT 1 FROM authorizations`, ({ length }) => length) }
})

const runtime = ManagedRuntime.make(services)
let begun: Promise<Effect.Success<typeof begin>> | undefined

const resource = "https://oa.example/mcp"

/** A state and a browser: neither is accepted nor ends a sign-in. And what agents and their members send. */
export const signIns: Target = {
  isAsync: true,
  seeds: [
    `${ofVisitor}\0${own}`,
    `${own} \0${browser}`,
    "\0",
    "response_type=code&client_id=a&scope=read+write+openid&nonce=1&resource=HTTPS://OA.example/mcp&response_mode=fragment",
    "button=allow&member=m&access=read_write&writes=ask&which=chosen&connection=c&reach=chosen&resource=gsc:a&end=g"
  ],
  run: async (input) => {
    const text = input.toString()
    const [state = "", from = ""] = partsOf(input)
    const { count, signIns } = await (begun ??= runtime.runPromise(begin))
    if (state !== own && !(state === ofVisitor && from === browser)) {
      const redeemed = signIns.redeem(state, from === "" ? undefined : Redacted.make(from))
      deepStrictEqual(await runtime.runPromise(Effect.all([redeemed, count])), [undefined, 2])
    }
    const query = authorizeQuery(text, resource)
    strictEqual(authorizeQuery(query, resource), query, "adapted again")
    const asked = new URLSearchParams(query)
    expect(!asked.has("nonce") && !asked.has("claims"), query)
    const scopes = asked.getAll("scope")
    if (scopes.length === 1) expect(/^read(?: write)?$/.test(scopes[0] ?? ""), query)
    const form = tokenForm(input, resource)
    deepStrictEqual(Buffer.from(tokenForm(form, resource)), Buffer.from(form), "a form, again")
    const decision = Option.map(parseSubmitted(text), decisionOf)
    if (Option.isNone(decision) || Result.isFailure(decision.value)) return
    const { success } = decision.value
    if (success.type === "cancel") return
    const fields = new URLSearchParams(text)
    strictEqual(success.access === "read_write", fields.get("access") === "read_write")
    strictEqual(success.connectionIds === null, fields.get("which") === "all")
    if (success.resources === null) expect(fields.get("reach") !== "chosen", "everything is reached")
  }
}
