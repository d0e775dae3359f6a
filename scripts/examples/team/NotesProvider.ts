import { Effect, Option, Schema } from "effect"
import { endpoint, header, type Provider, tool } from "openaccounts"

const origin = { id: "notes", setting: "NOTES_BASE_URL", url: "https://api.notes.example" }

const Notes = Schema.Struct({ notes: Schema.Array(Schema.String) })
const decodeNotes = Schema.decodeUnknownOption(Notes)

const notesList = endpoint({
  id: "notes.list",
  description: "Lists the notes.",
  method: "GET",
  origin,
  path: "/v1/notes",
  writes: false,
  scopes: [],
  input: Schema.Struct({}),
  resources: {
    lists: (body, isInside) =>
      Option.match(decodeNotes(body), {
        onNone: () => ({ notes: [] }),
        onSome: ({ notes }) => ({ notes: notes.filter(isInside) })
      })
  }
})

const notesUpdate = endpoint({
  id: "notes.update",
  description: "Changes the title of a note. Writes data.",
  method: "PATCH",
  origin,
  path: "/v1/notes/{id}",
  writes: true,
  scopes: [],
  input: Schema.Struct({
    path: Schema.Struct({ id: Schema.String.annotate({ description: "The id of the note." }) })
      .annotate({ description: "URL placeholders." }),
    body: Schema.Struct({ title: Schema.String.annotate({ description: "The new title." }) })
      .annotate({ description: "The JSON body." })
  }),
  resources: { names: ({ path }) => path.id }
})

const notesCount = tool({
  name: "notes_count",
  description: "The number of notes.",
  writes: false,
  input: Schema.Struct({}),
  resources: "lists",
  output: Schema.Struct({ count: Schema.Finite }),
  run: (_, provider) => Effect.map(provider.call(notesList, {}, Notes), ({ notes }) => ({ count: notes.length }))
})

const decodeError = Schema.decodeUnknownOption(Schema.Struct({ problem: Schema.String }))

export const notes: Provider = {
  id: "notes",
  name: "Notes",
  authentication: { api_key: header("x-notes-key") },
  scopes: { read: [], write: [] },
  endpoints: [notesList, notesUpdate],
  tools: [notesCount],
  resourceName: (text) => /^\w+$/.test(text) ? text : undefined,
  cheapestRead: notesList,
  classify: ({ status }) => status < 300 ? "ok" : status === 401 ? "rejected" : "error",
  errorMessage: (body) => Option.getOrUndefined(decodeError(body))?.problem
}
