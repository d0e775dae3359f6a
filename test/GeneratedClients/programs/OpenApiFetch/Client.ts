import createClient from "openapi-fetch"
import type { components, paths } from "../openapi.js"

export type CallRequest = components["schemas"]["CallRequest"]
export type GsheetsRequest = components["schemas"]["GsheetsRequest"]

const { BASE_URL: baseUrl = "", API_KEY: key = "" } = process.env

const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })

export const title = "From openapi-fetch"

export const send = async (body: CallRequest) => {
  const { data, error } = await client.POST("/v1/call", { body })
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return data
}
