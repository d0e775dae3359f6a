import { Effect, Schema } from "effect"
import { tool } from "../../../src/Providers/Provider.ts"
import { notesList } from "./Endpoints.ts"

const Notes = Schema.Struct({
  notes: Schema.Array(Schema.Struct({ id: Schema.String, title: Schema.String }))
})

export const notesTitles = tool({
  name: "notes_titles",
  description: "Titles of the notes that contain a word.",
  writes: false,
  input: Schema.Struct({ word: Schema.String.annotate({ description: "The word to look for." }) }),
  resources: "lists",
  output: Schema.Struct({ titles: Schema.Array(Schema.String) }),
  run: ({ word }, provider) =>
    Effect.map(provider.call(notesList, {}, Notes), ({ notes }) => ({
      titles: notes.map(({ title }) => title).filter((title) => title.includes(word))
    }))
})
