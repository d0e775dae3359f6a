import { Option, Schema } from "effect"
import { endpoint, type Provider } from "../../src/Providers/Provider.ts"
import { header } from "../../src/Providers/RequestAuthentication.ts"
import { entriesIn } from "../../src/Providers/Resources.ts"

const origin = { id: "notes", setting: "NOTES_BASE_URL", url: "https://api.notes.example" }

const path = Schema.Struct({ id: Schema.String.annotate({ description: "The id of the note." }) })
  .annotate({ description: "URL placeholders." })

const note = { origin, path: "/v1/notes/{id}", writes: true, scopes: [] } as const

const list = endpoint({
  id: "notes.list",
  description: "Lists the notes.",
  method: "GET",
  origin,
  path: "/v1/notes",
  writes: false,
  scopes: [],
  input: Schema.Struct({}),
  resources: entriesIn("notes", "id")
})

const update = endpoint({
  ...note,
  id: "notes.update",
  description: "Changes the title of a note. Writes data.",
  method: "PATCH",
  input: Schema.Struct({
    path,
    body: Schema.Struct({ title: Schema.String.annotate({ description: "The new title." }) })
      .annotate({ description: "The JSON body." })
  }),
  resources: { names: ({ path }) => path.id }
})

const remove = endpoint({
  ...note,
  id: "notes.delete",
  description: "Deletes a note. Writes data.",
  method: "DELETE",
  input: Schema.Struct({ path }),
  resources: { names: ({ path }) => path.id }
})

const decodeError = Schema.decodeUnknownOption(Schema.Struct({ problem: Schema.String }))

export const notes: Provider = {
  id: "notes",
  name: "Notes",
  authentication: { api_key: header("x-notes-key") },
  scopes: { read: [], write: [] },
  endpoints: [list, update, remove],
  tools: [],
  resourceName: (text) => /^\w+$/.test(text) ? text : undefined,
  cheapestRead: list,
  classify: ({ status }) => status < 300 ? "ok" : status === 401 ? "rejected" : "error",
  errorMessage: (body) => Option.getOrUndefined(decodeError(body))?.problem
}
