import { Link } from "wouter"
import { ListPage } from "../../../Dashboard/Parts/ListPage.tsx"
import { ProviderTitle } from "../../../Dashboard/Parts/Provider.tsx"
import { StatusOf } from "../../../Dashboard/Parts/Status.tsx"
import type { Column } from "../../../Dashboard/Parts/Table.tsx"
import { Time, timeColumn } from "../../../Dashboard/Parts/Time.tsx"
import { useById } from "../../../Dashboard/Service/ById.ts"
import { useConnections } from "../../../Dashboard/Service/Lists.ts"
import type { ApprovalSummary } from "../Declared.ts"
import { statusOf, titleOf } from "./ApprovalWords.ts"
import { Asker } from "./Asker.tsx"
import { useApprovals } from "./Decisions.ts"

export const Approvals = () => {
  const connectionOf = useById(useConnections().data)
  const columns: ReadonlyArray<Column<ApprovalSummary>> = [
    {
      title: "Write",
      sortBy: titleOf,
      cell: (approval) => (
        <ProviderTitle provider={approval.provider} about={connectionOf(approval.connection_id)?.label ?? null}>
          <Link className="name" href={`/approvals/${approval.id}`}>{titleOf(approval)}</Link>
        </ProviderTitle>
      )
    },
    {
      title: "Status",
      sortBy: ({ status }) => status,
      cell: (approval) => <StatusOf entry={statusOf(approval)} />
    },
    { title: "Asked by", cell: (approval) => <Asker asked_by={approval.asked_by} /> },
    timeColumn("Asked", ({ created_at }) => created_at),
    {
      title: "Ends",
      spare: true,
      sortBy: ({ expires_at }) => expires_at,
      cell: ({ expires_at, status }) => status === "pending" ? <Time at={expires_at} /> : null
    }
  ]
  return (
    <ListPage
      title="Approvals"
      about="Writes that keys and agents have asked for. Nothing is written until you approve it."
      what="approval"
      list={useApprovals()}
      columns={columns}
      nameOf={titleOf}
      searchedTexts={(approval) => [
        titleOf(approval),
        approval.provider,
        approval.target,
        connectionOf(approval.connection_id)?.label
      ]}
      filters={[{
        name: "state",
        label: "Status",
        all: "Any status",
        options: [{ value: "pending", title: "Waiting" }],
        keep: ({ status }, state) => state !== "pending" || status === "pending"
      }]}
      empty="Nothing was asked for. A key or an agent that asks before each change is listed here."
    />
  )
}
