import { client } from "../client/client.gen.js"
import { call, type CallRequest } from "../client/index.js"

export type { CallRequest, GsheetsRequest } from "../client/index.js"

const { BASE_URL: baseUrl = "", API_KEY: auth = "" } = process.env

client.setConfig({ baseUrl, auth })

export const title = "From hey-api"

export const send = async (body: CallRequest) => {
  const { data } = await call({ body, throwOnError: true })
  return data
}
