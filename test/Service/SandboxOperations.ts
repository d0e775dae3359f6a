import type { CallRequest } from "../../src/Api/Calls/CallApi.ts"
import { providers } from "../../src/Registrations.ts"
import { company } from "../../src/Sandbox/Data/Company.ts"
import { planId as document } from "../../src/Sandbox/Providers/Gdocs/Plan.ts"
import { leadsId as spreadsheet } from "../../src/Sandbox/Providers/Gsheets/Leads.ts"

type Inputs = Readonly<Record<string, NonNullable<CallRequest["input"]>>>

const site = { site: company.domain }

const tools: Inputs = {
  "gsc gsc_top_queries": site,
  "gsc gsc_quick_wins": site,
  "ga4 ga4_traffic_by_page": { property: "410000011" },
  "ga4 ga4_list_properties": {},
  "sitesearch sitesearch_top_queries": site,
  "sitesearch sitesearch_top_pages": site,
  "sitesearch sitesearch_crawl_health": site,
  "sitesearch sitesearch_list_sites": {},
  "gsheets sheets_read": { spreadsheet },
  "gsheets sheets_list_tabs": { spreadsheet },
  "gsheets sheets_append_rows": { spreadsheet, rows: [{ Name: "Wren Okoro", Email: "wren@example.com" }] },
  "gsheets sheets_update_range": { spreadsheet, range: "Empty!A4:B4", values: [["Fork", 3]] },
  "gsheets sheets_create": { title: "Orders", headers: ["Order", "Total"] },
  "gdocs docs_read": { document },
  "gdocs docs_create": { title: "Agenda", text: "# Topics\n\n- Spring" },
  "gdocs docs_append": { document, text: "## Later\n\nAppended." },
  "gdocs docs_replace_text": { document, find: "Photography", replace: "Photographs" },
  "gdocs docs_insert": { document, heading: "Goals", text: "Inserted." }
}

/** A valid input of each operation. Those of endpoints are the examples that agents get with the schema. */
export const inputs: Inputs = {
  ...Object.fromEntries(providers.flatMap(({ endpoints, examples, id: provider }) =>
    endpoints.flatMap(({ id }) => {
      const example = examples?.[id]
      return example === undefined ? [] : [[`${provider} ${id}`, { ...example }]]
    })
  )),
  ...tools
}
