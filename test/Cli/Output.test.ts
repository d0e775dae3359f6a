import { assert, describe, it } from "@effect/vitest"
import { Effect, PlatformError, Sink, Stdio } from "effect"
import { commands } from "../../src/Cli/Commands.ts"
import { fitHelp } from "../../src/Cli/HelpWidth.ts"
import { formatJson, printText, sanitize } from "../../src/Cli/Output.ts"
import { table } from "../../src/Cli/Table.ts"
import { agentClients } from "../../src/Features/Mcp/AgentClients.ts"
import { runOa } from "./RunCli.ts"

const plain = (text: string) => text
const style = { bold: plain, dim: plain, good: plain, warn: plain, bad: plain }

interface Fruit {
  readonly name: string
  readonly taste: string
}
const columns = [
  { head: "name", value: ({ name }: Fruit) => name },
  { head: "taste", value: ({ taste }: Fruit) => taste, width: 10 }
]

const printsColour = (terminal: boolean | "stderr", settings: Readonly<Record<string, string>>) =>
  Effect.map(runOa(["client", "list"], { terminal, settings }), ({ stderr }) => stderr.includes("\u001b["))

const isTooLong = (line: string) => line.length > 80 && !line.trimStart().startsWith("oa ")

describe("the output of oa", () => {
  it("aligns columns that hold double-width characters", () => {
    const rows = [{ name: "梨", taste: "sweet" }, { name: "lemon", taste: "sour" }]
    assert.strictEqual(table(columns, rows, style), "NAME   TASTE\n梨     sweet\nlemon  sour")
  })

  it.effect("fits help into a terminal, but keeps commands whole", () =>
    Effect.gen(function*() {
      const paths = commands.flatMap(({ commands }) =>
        commands.flatMap(({ name, subcommands }) => [
          [name],
          ...subcommands.flatMap(({ commands }) => commands.map((below) => [name, below.name]))
        ])
      )
      assert.isAtLeast(paths.length, 30)
      for (const path of paths) {
        const { stdout: wide } = yield* runOa([...path, "--help"])
        const { stdout: narrow } = yield* runOa([...path, "--help"], { columns: 80 })
        assert.deepStrictEqual(narrow.split("\n").filter(isTooLong), [], path.join(" "))
        assert.deepStrictEqual(narrow.split(/\s+/), wide.split(/\s+/), path.join(" "))
      }
    }))

  it("puts descriptions below their terms on a narrow terminal", () => {
    const help = "  --flag integer        Page size, 1 to 200"
    assert.strictEqual(fitHelp(help, 40), "  --flag integer\n      Page size, 1 to 200")
  })

  it("never passes on control characters or changes of writing direction", () => {
    const hostile = "a\u001b[2Jb\rc\u009b31md\u202ee\u0007"
    assert.strictEqual(sanitize(hostile), "a\uFFFD[2Jb\uFFFDc\uFFFD31md\uFFFDe\uFFFD")
    const text = formatJson({ hostile })
    assert.match(text, /^[\x20-\x7e]+$/)
    assert.deepStrictEqual(JSON.parse(text), { hostile })
  })

  it.effect("has colour on a terminal unless NO_COLOR is set", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* printsColour(true, {}))
      assert.isTrue(yield* printsColour(true, { NO_COLOR: "" }))
      assert.isTrue(yield* printsColour("stderr", {}))
      assert.isFalse(yield* printsColour(true, { NO_COLOR: "1" }))
      assert.isFalse(yield* printsColour(false, {}))
    }))

  it.effect("says that it is not complete, such as on a full disk", () =>
    Effect.gen(function*() {
      const full = PlatformError.systemError({
        _tag: "Unknown",
        module: "Stdio",
        method: "stdout",
        cause: new Error("ENOSPC: no space left on device, write")
      })
      const texts: Array<unknown> = []
      const stdio = Stdio.layerTest({
        stdout: () => Sink.fail(full),
        stderr: () => Sink.forEach((text) => Effect.sync(() => void texts.push(text)))
      })
      const { exit } = yield* Effect.flip(Effect.provide(printText("a"), stdio))
      assert.strictEqual(exit, "incomplete")
      assert.deepStrictEqual(texts, ["Error: The output is not complete: ENOSPC: no space left on device, write\n"])
    }))

  it.effect("is how to add the service to an agent for oa mcp, without a server", () =>
    Effect.gen(function*() {
      const all = yield* runOa(["mcp"], { settings: { BASE_URL: "https://accounts.example.com/" } })
      assert.strictEqual(all.exitCode, 0)
      for (const { name } of agentClients("https://accounts.example.com")) assert.include(all.stdout, name)
      assert.include(all.stdout, "claude mcp add --transport http openaccounts https://accounts.example.com/mcp\n")
      assert.notInclude(all.stdout, "must be a public https address")

      const one = yield* runOa(["mcp", "stdio", "--json"], { settings: { OA_URL: "http://accounts.lan:8787/v1" } })
      const { clients, url } = JSON.parse(one.stdout)
      assert.strictEqual(url, "http://accounts.lan:8787/mcp")
      assert.lengthOf(clients, 1)
      const { args, command, env } = JSON.parse(clients[0].key.text).mcpServers.openaccounts
      assert.deepStrictEqual([command, ...args], [
        "npx",
        "-y",
        "mcp-remote",
        "http://accounts.lan:8787/mcp",
        "--allow-http",
        "--header",
        "Authorization:${OA_AUTHORIZATION}"
      ])
      assert.deepStrictEqual(env, { OA_AUTHORIZATION: "Bearer oa_…" })
      assert.include(
        (yield* runOa(["mcp", "chatgpt"])).stdout,
        "http://localhost:8787/mcp must be a public https address"
      )
    }))
})
