import { test } from "openaccounts-sandbox/vitest"
import { assert } from "vitest"

test("a sandbox of its own fails on request, and tells what was asked", async ({ sandbox }) => {
  const { credentials, fail, settings } = sandbox
  const key = credentials.sitesearch.api_key
  const sites = () => fetch(`${settings["SITESEARCH_BASE_URL"]}/webmaster/api.svc/json/GetUserSites?apikey=${key}`)
  fail("sitesearch", "server-error")
  assert.deepStrictEqual([(await sites()).status, (await sites()).status], [500, 200])
  const asked = sandbox.asked().map(({ method, origin, status }) => `${method} ${origin} ${status}`)
  assert.deepStrictEqual(asked, ["GET sitesearch 500", "GET sitesearch 200"])
})

test("another test sees nothing of it", ({ sandbox }) => {
  assert.deepStrictEqual(sandbox.asked(), [])
})
