import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { callErrors } from "../../src/Api/Errors.ts"
import {
  CallerDisconnected,
  HeadersTooLarge,
  MethodNotAllowed,
  RouteNotFound,
  Unavailable
} from "../../src/Api/Errors/RequestErrors.ts"
import { apiErrors } from "../support/ApiErrors.ts"

const guide = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8")

const [, table = ""] = /\n\| code \| status \|[^\n]*\n(.+?)\n(?:\n|$)/s.exec(guide) ?? []

const rows = [...table.matchAll(/^\| (`.+?`) \| (.+?) \|/gm)].flatMap(([, codes = "", statuses = ""]) => {
  const each = statuses.split(", ")
  return codes.split(", ").map((code, index) => ({
    code: code.replaceAll("`", ""),
    status: each.length === 1 ? each[0] : each[index]
  }))
})

describe("The table of codes in the guide", () => {
  it("has the declared statuses", () => {
    assert.isAtLeast(rows.length, 30)
    for (const { code, status } of rows) {
      if (code !== "upstream_error") assert.strictEqual(status, `${apiErrors.get(code)}`, code)
    }
    assert.strictEqual(rows.find(({ code }) => code === "upstream_error")?.status, "the provider's")
  })

  it("has every code that a call can fail with, once", () => {
    const codes = rows.map(({ code }) => code)
    assert.strictEqual(new Set(codes).size, codes.length)
    assert.includeMembers(
      codes,
      [...callErrors, CallerDisconnected, HeadersTooLarge, MethodNotAllowed, RouteNotFound, Unavailable].map(
        ({ code }) => code
      )
    )
  })
})
