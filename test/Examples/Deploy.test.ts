import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import packageJson from "../../package.json" with { type: "json" }

const root = new URL("../..", import.meta.url).pathname
const read = (path: string) => readFileSync(join(root, path), "utf8")

const documented = new Set(
  [...read("src/README.md").matchAll(/^\| (`[A-Z].*?) \|/gm)].flatMap(([, names = ""]) =>
    names.match(/[A-Z][A-Z0-9_]+/g) ?? []
  )
)
const ofPostgres = ["POSTGRES_PASSWORD", "POSTGRES_USER", "POSTGRES_DB"]
const compose = read("scripts/deploy/compose.yaml")
const example = read("scripts/deploy/.env.example")

describe("The files for deploying", () => {
  it("name only settings that are documented", () => {
    const named = [...`${compose}\n${example}`.matchAll(/^ *(?:- )?([A-Z][A-Z0-9_]+)[:=]/gm)].map(([, name = ""]) =>
      name
    )
    assert.isAbove(named.length, 10)
    assert.deepStrictEqual(named.filter((name) => !documented.has(name) && !ofPostgres.includes(name)), [])
  })

  it("ask for every required variable of compose.yaml in .env.example", () => {
    const used = [...compose.matchAll(/\$\{([A-Z_]+)(:\?)?/g)].map(([, name = ""]) => name).filter((name) =>
      name !== "PORT"
    )
    for (const name of used) assert.match(example, new RegExp(`^${name}=`, "m"))
  })

  it("hold no secret", () => {
    for (const name of ["POSTGRES_PASSWORD", "ENCRYPTION_KEYS", "ADMIN_TOKEN", "GOOGLE_CLIENT_SECRET"]) {
      assert.match(example, new RegExp(`^${name}=$`, "m"))
    }
  })

  it("start the service as npm start does, and let calls finish", () => {
    const unit = read("scripts/deploy/openaccounts.service")
    const [, command = ""] = /^ExecStart=\S+\/node (.+)$/m.exec(unit) ?? []
    assert.strictEqual(`node ${command}`, packageJson.scripts.start)
    assert.include(unit, "TimeoutStopSec=35")
    assert.include(compose, "stop_grace_period: 35s")
  })
})

describe("The guides of the providers", () => {
  const folders = readdirSync(join(root, "src/Providers"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory() && existsSync(join(root, "src/Providers", entry.name, "Provider.ts"))
  )

  it("are there for each provider, with the scope that it asks for", () => {
    assert.isAtLeast(folders.length, 5)
    for (const { name } of folders) {
      const guide = read(`src/Providers/${name}/README.md`)
      assert.include(read("README.md"), `src/Providers/${name}/README.md`)
      assert.match(guide, /https:\/\/www\.googleapis\.com\/auth\/|webmaster\.manage/)
    }
  })

  it("link only to files that exist", () => {
    const guides = [
      ...folders.map(({ name }) => `src/Providers/${name}/README.md`),
      "src/Providers/Google/README.md",
      "src/Sandbox/README.md",
      "scripts/deploy/README.md",
      "scripts/examples/README.md",
      "CHANGELOG.md"
    ]
    for (const guide of guides) {
      for (const [, target = ""] of read(guide).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        assert.isTrue(existsSync(join(root, dirname(guide), target)), `${guide}: ${target}`)
      }
    }
  })
})
