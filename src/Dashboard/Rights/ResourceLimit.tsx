import { useState } from "react"
import type { Resources } from "../../Domain/Access/Resource.ts"
import type { ManagedConnection } from "../../Domain/Connection.ts"
import { CheckList } from "../Parts/CheckList.tsx"
import { Choice } from "../Parts/Choice.tsx"
import { ErrorNotice } from "../Parts/ErrorNotice.tsx"
import { Field } from "../Parts/Field.tsx"
import { SelectField } from "../Parts/Select.tsx"
import { useAccountResources } from "./AccountResources.ts"
import { fileProviders, resourceFrom, resourceTitle } from "./ResourceWords.ts"

/** Everything, or what is ticked. `connections` are those whose accounts can be listed. */
export const ResourceLimit = ({ connections, error, everything, onChange, value }: {
  readonly connections: ReadonlyArray<ManagedConnection>
  readonly everything: string
  readonly error?: string | undefined
  readonly value: Resources
  readonly onChange: (value: Resources) => void
}) => {
  const [last, setLast] = useState(value ?? [])
  const change = (next: Resources) => {
    if (next !== null) setLast(next)
    onChange(next)
  }
  return (
    <>
      <Choice
        label="What it may reach"
        name="resources"
        options={[
          { value: "all", title: "Everything", help: everything },
          { value: "some", title: "Only what I choose", help: "Calls about anything else are refused." }
        ]}
        value={value === null ? "all" : "some"}
        onChange={(limited) => change(limited === "all" ? null : last)}
      />
      {error !== undefined && <span className="field-error" role="alert">{error}</span>}
      {value !== null && <ResourcePicker connections={connections} chosen={value} onChange={change} />}
    </>
  )
}

const ResourcePicker = ({ chosen, connections, onChange }: {
  readonly connections: ReadonlyArray<ManagedConnection>
  readonly chosen: ReadonlyArray<string>
  readonly onChange: (chosen: ReadonlyArray<string>) => void
}) => {
  const active = connections.filter(({ status }) => status === "active")
  const [id, setId] = useState<string | undefined>(active[0]?.id)
  const connection = active.find((each) => each.id === id)
  const [added, setAdded] = useState("")
  const listed = useAccountResources(connection)
  const found = connection === undefined || listed.isPlaceholderData ? [] : listed.data ?? []
  const titles = new Map(found.map(({ name, resource }) => [resource, name]))
  const provider = connection?.provider
  const options = [
    ...provider !== undefined && fileProviders.includes(provider) ? [`${provider}:created`] : [],
    ...titles.keys(),
    ...chosen
  ]
  const add = () => {
    const resource = resourceFrom(added.trim(), provider)
    if (!chosen.includes(resource)) onChange([...chosen, resource])
    setAdded("")
  }
  return (
    <>
      {connections.length > 1 && (
        <SelectField
          label="Choose from the account of"
          options={active.map(({ id, label }) => ({ value: id, title: label }))}
          value={id ?? ""}
          onChange={setId}
        />
      )}
      {listed.error && <ErrorNotice error={listed.error} isRead />}
      <CheckList
        label="What the account has"
        options={listed.isFetching && listed.data === undefined
          ? undefined
          : [...new Set(options)].map((value) => ({ value, title: resourceTitle(value, titles.get(value)) }))}
        value={chosen}
        empty="The account has nothing that can be listed."
        all
        onChange={onChange}
      />
      <Field label="Add another one" help="Its id or its address, such as that of a spreadsheet.">
        {(attributes) => (
          <span className="field-row">
            <input
              {...attributes}
              value={added}
              onChange={(event) => setAdded(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return
                event.preventDefault()
                if (added.trim() !== "") add()
              }}
            />
            <button type="button" disabled={added.trim() === ""} onClick={add}>Add</button>
          </span>
        )}
      </Field>
    </>
  )
}
