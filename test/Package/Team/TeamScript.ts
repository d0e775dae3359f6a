import { createClient, OpenAccountsError } from "openaccounts/client"

const main = async ([baseUrl = "", apiKey = ""]: ReadonlyArray<string>) => {
  const oa = createClient({ baseUrl, apiKey })
  const { data: sites } = await oa.gsc.sites.list()
  const { data: { properties } } = await oa.ga4.listProperties({ limit: 1 })
  const { data: { d } } = await oa.sitesearch.getUserSites()
  const path = { spreadsheetId: "sandbox-leads", range: "Leads!A1:B1" }
  const { data: cells } = await oa.gsheets.values.get({ path, query: { majorDimension: "ROWS" } })
  const { data: document } = await oa.gdocs.read({ document: "sandbox-plan" })
  const refused = await oa.gdocs.append({ document: "sandbox-plan", text: "More." }).catch((error: unknown) => error)
  const texts: ReadonlyArray<string | undefined> = [
    sites.siteEntry?.[0]?.siteUrl,
    properties[0]?.property_id,
    d?.[0]?.Url,
    cells.range,
    document.title,
    refused instanceof OpenAccountsError ? refused.code : "not refused"
  ]
  return texts.join("\n")
}

void main(process.argv.slice(2)).then((text) => process.stdout.write(text))
