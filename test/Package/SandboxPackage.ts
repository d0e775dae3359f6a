import { assert, type Vitest } from "@effect/vitest"
import { analyticsdata } from "@googleapis/analyticsdata"
import { docs } from "@googleapis/docs"
import { auth, searchconsole } from "@googleapis/searchconsole"
import { sheets } from "@googleapis/sheets"
import { Effect } from "effect"
import { copyFile, cp, readdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { RunningSandbox, StartSandbox } from "../../scripts/package/sandbox/Types.ts"
import { tempFolder } from "../support/TempFolder.ts"
import { Installed } from "./Installed.ts"

const root = join(import.meta.dirname, "../..")

/** Google's own clients, at the sandbox. */
const clientsOf = ({ credentials, url: rootUrl, urls }: RunningSandbox) => {
  const { client_id, client_secret, refresh_token } = credentials.google
  const endpoints = { oauth2TokenUrl: urls.googleToken }
  const login = new auth.OAuth2({ clientId: client_id, clientSecret: client_secret, endpoints })
  login.setCredentials({ refresh_token })
  return {
    console: searchconsole({ version: "v1", rootUrl, auth: login }),
    analytics: analyticsdata({ version: "v1beta", rootUrl, auth: login }),
    spreadsheets: sheets({ version: "v4", rootUrl, auth: login }).spreadsheets,
    documents: docs({ version: "v1", rootUrl, auth: login }).documents
  }
}

const cell = { spreadsheetId: "sandbox-leads", range: "Leads!A1" }

const startOf = Effect.fnUntraced(function*(folder: string) {
  const file = pathToFileURL(join(folder, "node_modules/openaccounts-sandbox/index.js")).href
  const { startSandbox }: { readonly startSandbox: StartSandbox } = yield* Effect.promise(() => import(file))
  return (options?: Parameters<StartSandbox>[0]) =>
    Effect.acquireRelease(Effect.promise(() => startSandbox(options)), ({ stop }) => Effect.promise(stop))
})

export const sandboxPackage = (it: Vitest.MethodsNonLive<Installed>) => {
  it.effect("of the sandbox brings one package, which Google's own clients take for Google", () =>
    Effect.gen(function*() {
      const { sandboxFolder } = yield* Installed
      const modules = yield* Effect.promise(() => readdir(join(sandboxFolder, "node_modules")))
      assert.deepStrictEqual(modules.filter((name) => !name.startsWith(".")), ["openaccounts-sandbox"])
      const start = yield* startOf(sandboxFolder)
      const sandbox = yield* start()
      const { analytics, console, documents, spreadsheets } = clientsOf(sandbox)
      yield* Effect.promise(async () => {
        const sites = await console.sites.list()
        assert.isTrue(sites.data.siteEntry?.some(({ siteUrl }) => siteUrl === "sc-domain:fernhill.example"))
        const report = await analytics.properties.runReport({
          property: "properties/410000011",
          requestBody: {
            dateRanges: [{ startDate: "7daysAgo", endDate: "yesterday" }],
            metrics: [{ name: "sessions" }]
          }
        })
        assert.lengthOf(report.data.rows ?? [], 1)
        const requestBody = { values: [["Written"]] }
        await spreadsheets.values.update({ ...cell, valueInputOption: "RAW", requestBody })
        assert.deepStrictEqual((await spreadsheets.values.get(cell)).data.values, requestBody.values)
        assert.isString((await documents.get({ documentId: "sandbox-plan" })).data.title)
      })
      sandbox.forget()
      sandbox.fail("gsc", "throttled", 2)
      yield* Effect.promise(() => console.sites.list())
      const asked = sandbox.asked().map(({ method, path, status }) => `${method} ${path} ${status}`)
      assert.deepStrictEqual(asked, [429, 429, 200].map((status) => `GET /webmasters/v3/sites ${status}`))
    }))

  it.effect("of the sandbox enforces quotas on request", () =>
    Effect.gen(function*() {
      const { sandboxFolder } = yield* Installed
      const start = yield* startOf(sandboxFolder)
      const { spreadsheets } = clientsOf(yield* start({ quotas: { "gsheets.read.account": 2 } }))
      const read = Effect.promise(() =>
        spreadsheets.values.get(cell, { retry: false, validateStatus: () => true }).then(({ status }) => status)
      )
      assert.deepStrictEqual(yield* Effect.all([read, read, read]), [200, 200, 429])
    }))

  it.effect("of the sandbox has a fixture for Vitest, and a command that prints what to set", () =>
    Effect.gen(function*() {
      const { run, sandboxFolder, start } = yield* Installed
      const project = yield* tempFolder
      yield* Effect.promise(async () => {
        await cp(sandboxFolder, project, { recursive: true })
        await symlink(join(root, "node_modules/vitest"), join(project, "node_modules/vitest"))
        await copyFile(join(import.meta.dirname, "SandboxOnly/Sandboxed.ts"), join(project, "Sandboxed.test.ts"))
        const compilerOptions = { module: "nodenext", target: "esnext", strict: true, noEmit: true, skipLibCheck: true }
        await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }))
      })
      const compiled = yield* run(join(root, "node_modules/.bin/tsc"), ["--project", project])
      assert.deepStrictEqual(compiled, { exitCode: 0, stdout: "", stderr: "" })
      const { exitCode, stdout } = yield* run(join(root, "node_modules/.bin/vitest"), ["run", "--root", project])
      assert.strictEqual(exitCode, 0, stdout)
      assert.match(stdout, /2 passed/)

      const command = join(sandboxFolder, "node_modules/.bin/openaccounts-sandbox")
      const sandbox = yield* start(command, [], {})
      const [, url = ""] = yield* sandbox.printed(/runs at (\S+)[^]*GSC_BASE_URL=[^]*GOOGLE_REFRESH_TOKEN=[^]*Ctrl-C/)
      const post = (body: object) =>
        Effect.promise(() => fetch(`${url}/faults`, { method: "POST", body: JSON.stringify(body) }))
      assert.strictEqual((yield* post({ origin: "gsc", fault: "no such fault" })).status, 400)
      assert.strictEqual((yield* post({ origin: "gsc", fault: "throttled" })).status, 204)
      yield* Effect.promise(() => fetch(`${url}/gdocs/v1/documents/sandbox-plan`))
      const ledger = yield* Effect.promise(async () => (await fetch(`${url}/ledger`)).json())
      assert.nestedPropertyVal(ledger, "requests[0].path", "/v1/documents/sandbox-plan")
      yield* sandbox.stop
    }))
}
