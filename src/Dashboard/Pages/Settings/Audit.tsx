import { auditActions, type AuditEntry } from "../../../Declared/Audit.ts"
import { CopyIconButton } from "../../Parts/CopyButton.tsx"
import { Empty } from "../../Parts/Empty.tsx"
import { ExportLink } from "../../Parts/ExportLink.tsx"
import { Filters, SelectFilter } from "../../Parts/Filters.tsx"
import { Json } from "../../Parts/Json.tsx"
import { OlderButton } from "../../Parts/OlderButton.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useById } from "../../Service/ById.ts"
import { useClientName } from "../../Service/ClientName.ts"
import { useConnections, useGrants, useKeys, useMembers } from "../../Service/Lists.ts"
import { useServicePages } from "../../Service/Queries.ts"
import { actionWords, nameIn, sentenceOf } from "./AuditWords.ts"

const upper = (letter: string) => letter.toUpperCase()

const subjects = [...new Set(auditActions.map((action) => action.replace(/\..*/, "")))]

export const Audit = () => {
  const [actor, setActor] = useUrlState("actor")
  const [action, setAction] = useUrlState("action")
  const [subject, setSubject] = useUrlState("subject")
  const members = useMembers(true)
  const memberOf = useById(members.data)
  const clientName = useClientName()
  const connectionOf = useById(useConnections().data)
  const grantOf = useById(useGrants().data)
  const keyOf = useById(useKeys().data)
  const query = {
    ...actor !== "" && { actor },
    ...auditActions.filter((each) => each === action).map((action) => ({ action }))[0],
    ...subject !== "" && { subject }
  }
  const entries = useServicePages(
    ["audit", query],
    "entries",
    ({ audit }, page) => audit.list({ query: { ...query, ...page } })
  )
  const actorWords = ({ actor }: AuditEntry) =>
    actor.type === "token"
      ? "Admin token"
      : actor.type === "system"
      ? "The service"
      : `${actor.key_id === undefined ? "" : "A key of "}${memberOf(actor.member_id)?.email ?? actor.member_id}`
  const nameOf: Readonly<Record<string, (id: string) => string | undefined>> = {
    client: clientName,
    connection: (id) => connectionOf(id)?.label,
    grant: (id) => grantOf(id)?.agent.name,
    key: (id) => keyOf(id)?.name,
    member: (id) => memberOf(id)?.email
  }
  const linkName = ({ client_id, connection_id }: AuditEntry["details"]) =>
    typeof connection_id === "string"
      ? connectionOf(connection_id)?.label
      : typeof client_id === "string"
      ? clientName(client_id)
      : undefined
  const writeName = ({ connection_id, target }: AuditEntry["details"]) => {
    if (typeof target !== "string") return undefined
    const connection = typeof connection_id === "string" ? connectionOf(connection_id)?.label : undefined
    return [target.replace(/^\w+:/, ""), connection].filter(Boolean).join(", for ")
  }
  const subjectName = (entry: AuditEntry): string | undefined => {
    const { id, type } = entry.subject
    if (["session", "passkey"].includes(type)) return undefined
    if (type === "approval") return writeName(entry.details)
    if (type === "link") return linkName(entry.details) ?? id ?? undefined
    return nameIn(entry) ?? (id === null ? undefined : nameOf[type]?.(id) ?? id)
  }
  const columns: ReadonlyArray<Column<AuditEntry>> = [
    {
      title: "Time",
      cell: ({ at }) => (
        <span className="nowrap">
          <Time at={at} />
        </span>
      )
    },
    {
      title: "What happened",
      cell: (entry) => (
        <span className="row-of audit-entry">
          <span>
            <bdi>{actorWords(entry)}</bdi> {sentenceOf(entry)} <strong>{subjectName(entry)}</strong>
          </span>
          {entry.subject.id !== null && <CopyIconButton text={entry.subject.id} what={`the id ${entry.subject.id}`} />}
        </span>
      )
    },
    { title: "Address", minor: true, cell: ({ address }) => <span className="nowrap">{address}</span> },
    {
      title: "Details",
      minor: true,
      cell: ({ details }) =>
        Object.keys(details).length > 0 && (
          <details>
            <summary>Details</summary>
            <Json value={details} />
          </details>
        )
    }
  ]
  const isFiltered = Object.keys(query).length > 0
  return (
    <div className="stack">
      <Filters>
        <SelectFilter
          label="Who"
          all="Everyone"
          options={[
            { value: "token", title: "Admin token" },
            { value: "system", title: "The service" },
            ...(members.data ?? []).map(({ email, id }) => ({ value: id, title: email }))
          ]}
          value={actor}
          onChange={setActor}
        />
        <SelectFilter
          label="Action"
          all="All actions"
          options={auditActions.map((each) => ({ value: each, title: actionWords(each).replace(/^./, upper) }))}
          value={action}
          onChange={setAction}
        />
        <SelectFilter
          label="Subject"
          all="All subjects"
          options={subjects.map((each) => ({ value: each, title: each }))}
          value={subject}
          onChange={setSubject}
        />
        <ExportLink path="/admin/v1/audit" filter={query} />
      </Filters>
      <Table
        label="Audit"
        columns={columns}
        rows={entries.data}
        rowKey={({ id }) => id}
        error={entries.error}
        reloading={entries.isFetching}
        empty={<Empty>{isFiltered ? "No entry matches these filters." : "Nothing was changed yet."}</Empty>}
      />
      <OlderButton pages={entries} what="entries" />
    </div>
  )
}
