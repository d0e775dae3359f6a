import { Effect, Schema } from "effect"
import { objectsIn } from "../../../Domain/Table/TableSource.ts"
import { described, tool } from "../../Provider.ts"
import { flag } from "../../Tooling/Fields.ts"
import { Integer } from "../../Tooling/Integer.ts"
import { listSites, Site } from "../Sites.ts"

export const sitesearchListSites = tool({
  name: "sitesearch_list_sites",
  ...described([
    "Sites on the connected account and whether each is verified.",
    "Only verified sites have data; null when the provider does not say.",
    "To submit new URLs of a site use the endpoint SubmitUrl or SubmitUrlBatch."
  ], [
    "`verified` is null when the provider does not say.",
    "Sorted by URL.",
    "The list is complete; `total` is its length.",
    "No sites is not an error: `note` says why.",
    "The other `sitesearch_` tools take a `url` as `site`."
  ]),
  writes: false,
  input: Schema.Struct({
    verified_only: flag({ description: "Leave out sites that are not verified.", default: false })
  }),
  resources: "lists",
  rows: () => objectsIn("sites"),
  output: Schema.Struct({
    sites: Schema.Array(Site),
    total: Integer,
    note: Schema.optionalKey(Schema.String)
  }),
  run: ({ verified_only }, provider) =>
    Effect.map(listSites(provider), (all) => {
      const sites = verified_only ? all.filter(({ verified }) => verified === true) : all
      return { sites, total: sites.length, ...sites.length === 0 ? { note: emptyNote(all.length) } : {} }
    })
})

const emptyNote = (unverified: number): string =>
  unverified === 0
    ? "The connected account has no sites."
    : `None of the account's sites is verified; without \`verified_only\` there are ${unverified}.`
