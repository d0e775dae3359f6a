import { Option, Schema } from "effect"
import type { Provider } from "../../../src/Providers/Provider.ts"
import { header } from "../../../src/Providers/RequestAuthentication.ts"
import { notesDelete, notesList, notesUpdate } from "./Endpoints.ts"
import { notesTitles } from "./Tools.ts"

const decodeError = Schema.decodeUnknownOption(Schema.Struct({ problem: Schema.String }))

export const notes: Provider = {
  id: "notes",
  name: "Notes",
  authentication: { api_key: header("x-notes-key") },
  scopes: { read: [], write: [] },
  endpoints: [notesList, notesUpdate, notesDelete],
  tools: [notesTitles],
  resourceName: (text) => /^\w+$/.test(text) ? text : undefined,
  cheapestRead: notesList,
  classify: ({ status }) => status < 300 ? "ok" : status === 401 ? "rejected" : "error",
  errorMessage: (body) => Option.getOrUndefined(decodeError(body))?.problem
}
