import { Effect } from "effect"
import { useId, useState } from "react"
import { dayInMillis } from "../../Parts/Day.ts"
import { SearchField, SelectFilter } from "../../Parts/Filters.tsx"
import { submitting } from "../../Parts/Form.ts"
import { useProviderName } from "../../Parts/Provider.tsx"
import { namedOptions, type Option } from "../../Parts/Select.tsx"
import { readStats } from "../../Service/Calls.ts"
import { useClients, useConnections, useGrants, useKeys, useMembers, useProviders } from "../../Service/Lists.ts"
import { useServiceQuery } from "../../Service/Queries.ts"
import { featuresOff } from "../../Service/ServedPage.ts"
import { useSession } from "../../Session/Session.tsx"
import { type CallFilterState, filterOfId, periods } from "./Filter.ts"

const outcomes = [{ value: "ok", title: "Succeeded" }, { value: "error", title: "Failed" }]

const cacheChoices = [{ value: "yes", title: "From the cache" }, { value: "no", title: "From the provider" }]

const errorCodes = [
  "credentials_expired",
  "credentials_rejected",
  "connection_inactive",
  "connection_ambiguous",
  "connection_not_found",
  "invalid_input",
  "read_only",
  "rate_limited",
  "upstream_error",
  "upstream_unreachable",
  "internal_error"
]

const lessCommon = ["cached", "connection", "error", "key", "member", "agent"] as const

const weekInMillis = 7 * dayInMillis

const useCalledTargets = () => {
  const { isAdmin } = useSession()
  return useServiceQuery(["stats", "targets"], (service) =>
    Effect.map(
      readStats(service, isAdmin, {
        since: new Date(Date.now() - weekInMillis),
        bucket: "day",
        group_by: "target"
      }),
      ({ buckets }) => [...new Set(buckets.flatMap(({ group }) => group ?? []))].toSorted()
    ))
}

const withoutKind = (target: string) => target.replace(/^\w+:/, "")

const Chip = ({ onEnd, text }: { readonly text: string; readonly onEnd: () => void }) => (
  <button type="button" className="chip" aria-label={`Stop filtering by ${text}`} onClick={onEnd}>
    <code>{text}</code> ×
  </button>
)

export const LogFilters = ({ onOpen, state: { clear, get, isFiltered, set } }: {
  readonly state: CallFilterState
  readonly onOpen: (callId: string) => void
}) => {
  const { isAdmin } = useSession()
  const [text, setText] = useState("")
  const [notFound, setNotFound] = useState<string>()
  const targetListId = useId()
  const providers = useProviders()
  const clients = useClients()
  const connections = useConnections()
  const keys = useKeys()
  const providerName = useProviderName()
  const grants = useGrants()
  const members = useMembers(isAdmin)
  const targets = useCalledTargets().data ?? []
  const [since, until, target, resource] = [get("since"), get("until"), get("target"), get("resource")]
  const [more, setMore] = useState(false)
  const showsAll = more || lessCommon.some((name) => get(name) !== "")

  const find = (words: string) => {
    const id = words.trim()
    const filter = filterOfId(id)
    const found = targets.find((each) => withoutKind(each) === id) ?? targets.find((each) => each.includes(id))
    if (id === "") return
    if (id.startsWith("call_")) onOpen(id)
    else if (filter) set({ [filter]: id })
    else if (found) set({ target: found })
    else {return setNotFound(
        "No operation of the last week has this name, and it is neither an id nor a resource such as gsc:sc-domain:acme.com."
      )}
    setText("")
  }
  const filterBy = (
    name: Parameters<typeof get>[0],
    label: string,
    all: string,
    options: ReadonlyArray<Option>
  ) => (
    <SelectFilter
      label={label}
      all={all}
      options={options}
      value={get(name)}
      onChange={(value) => set({ [name]: value })}
    />
  )
  const times = since === "" && until === ""
    ? []
    : [{
      value: "chosen",
      title: [since, until].map((time) => time.slice(0, 16).replace("T", " ")).join(" – ") + " UTC"
    }]
  return (
    <form className="filters" role="search" onSubmit={submitting(() => find(text))}>
      <SearchField
        label="Find an operation, a resource or an id"
        placeholder="Operation, resource or id"
        list={targetListId}
        value={text}
        onChange={(next) => {
          setNotFound(undefined)
          setText(next)
          if (targets.some((each) => withoutKind(each) === next)) find(next)
        }}
      />
      <datalist id={targetListId}>
        {targets.map((each) => <option key={each} value={withoutKind(each)} />)}
      </datalist>
      {target !== "" && <Chip text={withoutKind(target)} onEnd={() => set({ target: "" })} />}
      {resource !== "" && <Chip text={resource} onEnd={() => set({ resource: "" })} />}
      {filterBy("provider", "Provider", "All providers", namedOptions(providers.data))}
      {filterBy("outcome", "Outcome", "All outcomes", outcomes)}
      <SelectFilter
        label="Time"
        all="Any time"
        options={[...Object.entries(periods).map(([value, { title }]) => ({ value, title })), ...times]}
        value={times.length > 0 ? "chosen" : get("period")}
        onChange={(next) => set({ period: next, since: "", until: "" })}
      />
      {filterBy("client", "Client", "All clients", namedOptions(clients.data))}
      {showsAll && (
        <>
          {filterBy(
            "connection",
            "Connection",
            "All connections",
            (connections.data ?? []).map(({ external_account, id, label, provider }) => ({
              value: id,
              title: [label, providerName(provider), external_account].filter(Boolean).join(" · ")
            }))
          )}
          {filterBy("error", "Error", "All errors", errorCodes.map((code) => ({ value: code, title: code })))}
          {filterBy("key", "Key", "All keys", namedOptions(keys.data))}
          {!featuresOff.includes("agent_access") && filterBy(
            "agent",
            "Agent",
            "All agents",
            (grants.data ?? []).map(({ agent, id }) => ({ value: id, title: agent.name }))
          )}
          {isAdmin && filterBy(
            "member",
            "Member",
            "All members",
            (members.data ?? []).map(({ email, id }) => ({ value: id, title: email }))
          )}
          {filterBy("cached", "Cache", "Cached or not", cacheChoices)}
        </>
      )}
      <button type="button" className="quiet" aria-expanded={showsAll} onClick={() => setMore(!more)}>
        {showsAll ? "Fewer filters" : "More filters"}
      </button>
      {isFiltered && <button type="button" className="quiet" onClick={clear}>Clear</button>}
      {notFound !== undefined && <p className="field-error" role="alert">{notFound}</p>}
    </form>
  )
}
