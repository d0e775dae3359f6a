import { Effect } from "effect"
import { auditActions, type AuditEntry } from "../../../Domain/Audit.ts"
import { Empty } from "../../Parts/Empty.tsx"
import { Filters, SelectFilter } from "../../Parts/Filters.tsx"
import { Id } from "../../Parts/Id.tsx"
import { Json } from "../../Parts/Json.tsx"
import { type Column, Table } from "../../Parts/Table.tsx"
import { Time } from "../../Parts/Time.tsx"
import { useUrlState } from "../../Parts/UrlState.ts"
import { useById } from "../../Service/ById.ts"
import { useMembers } from "../../Service/Lists.ts"
import { useServicePages } from "../../Service/Queries.ts"

const subjects = [...new Set(auditActions.map((action) => action.replace(/\..*/, "")))]

export const Audit = () => {
  const [actor, setActor] = useUrlState("actor")
  const [action, setAction] = useUrlState("action")
  const [subject, setSubject] = useUrlState("subject")
  const members = useMembers(true)
  const memberOf = useById(members.data)
  const query = {
    ...actor !== "" && { actor },
    ...auditActions.filter((each) => each === action).map((action) => ({ action }))[0],
    ...subject !== "" && { subject }
  }
  const entries = useServicePages<AuditEntry>(
    ["audit", query],
    ({ audit }, page) =>
      Effect.map(audit.list({ query: { ...query, ...page } }), ({ cursor, entries }) => ({ items: entries, cursor }))
  )
  const actorWords = ({ actor }: AuditEntry) =>
    actor.type === "token"
      ? "Admin token"
      : actor.type === "system"
      ? "The service"
      : `${actor.key_id === undefined ? "" : "A key of "}${memberOf(actor.member_id)?.email ?? actor.member_id}`
  const columns: ReadonlyArray<Column<AuditEntry>> = [
    {
      title: "Time",
      cell: ({ at }) => (
        <span className="nowrap">
          <Time at={at} />
        </span>
      )
    },
    { title: "Who", cell: (entry) => <span className="name">{actorWords(entry)}</span> },
    { title: "Action", cell: ({ action }) => <code className="nowrap">{action}</code> },
    { title: "Subject", minor: true, cell: ({ subject }) => subject.id !== null && <Id id={subject.id} /> },
    { title: "Address", minor: true, cell: ({ address }) => <span className="nowrap">{address}</span> },
    {
      title: "Details",
      minor: true,
      cell: ({ details }) =>
        Object.keys(details).length > 0 && (
          <details>
            <summary>{Object.keys(details).join(", ")}</summary>
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
          options={auditActions.map((each) => ({ value: each, title: each }))}
          value={action}
          onChange={setAction}
        />
        <SelectFilter
          label="Subject"
          all="All subjects"
          options={[
            ...subjects.map((each) => ({ value: each, title: each })),
            ...subject !== "" && !subjects.includes(subject) ? [{ value: subject, title: subject }] : []
          ]}
          value={subject}
          onChange={setSubject}
        />
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
      {entries.hasNextPage && (
        <button
          type="button"
          disabled={entries.isFetchingNextPage}
          onClick={() => entries.fetchNextPage()}
        >
          Older entries
        </button>
      )}
    </div>
  )
}
