import { assert, describe, it } from "@effect/vitest"
import { groups } from "../../../src/Features/Contracts.ts"
import { declaredRoutes } from "../../../src/Http/Server/DeclaredRoutes.ts"
import { apiRoutes } from "../../support/ApiRoutes.ts"

const { isMoved, isOnAdminListener } = declaredRoutes(groups)

const paths = [...new Set(apiRoutes.map(({ path }) => path))]

const isManagement = (path: string) => /^\/(?:admin\/v1\/.+|dashboard.*)?$/.test(path)

const isShared = (path: string) =>
  /^\/(?:v1|auth)\//.test(path) || /^\/oauth\/(?:authorize|consent)/.test(path) ||
  ["/healthz", "/connect/logo", "/connect/font"].includes(path)

describe("With an admin listener", () => {
  it("the management API and the dashboard leave the main listener", () => {
    assert.sameMembers(paths.filter(isMoved), paths.filter(isManagement))
  })

  it("the admin listener also has what the dashboard and the pages of agents use", () => {
    assert.sameMembers(paths.filter(isOnAdminListener), paths.filter((path) => isManagement(path) || isShared(path)))
  })
})
