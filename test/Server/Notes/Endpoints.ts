import { Schema } from "effect"
import { endpoint } from "../../../src/Providers/Provider.ts"
import { entriesIn } from "../../../src/Providers/Resources.ts"

const origin = { id: "notes", setting: "NOTES_BASE_URL", url: "https://api.notes.example" }

const path = Schema.Struct({ id: Schema.String.annotate({ description: "The id of the note." }) })
  .annotate({ description: "URL placeholders." })

export const notesList = endpoint({
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

export const notesUpdate = endpoint({
  id: "notes.update",
  description: "Changes the title of a note. Writes data.",
  method: "PATCH",
  origin,
  path: "/v1/notes/{id}",
  writes: true,
  scopes: [],
  input: Schema.Struct({
    path,
    body: Schema.Struct({ title: Schema.String.annotate({ description: "The new title." }) })
      .annotate({ description: "The JSON body." })
  }),
  resources: { names: ({ path }) => path.id }
})

export const notesDelete = endpoint({
  id: "notes.delete",
  description: "Deletes a note. Writes data.",
  method: "DELETE",
  origin,
  path: "/v1/notes/{id}",
  writes: true,
  scopes: [],
  input: Schema.Struct({ path }),
  resources: { names: ({ path }) => path.id }
})
