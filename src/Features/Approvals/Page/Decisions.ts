import { useServiceList, useServiceMutation, useServiceQuery } from "../../../Dashboard/Service/Queries.ts"

export const useApprovals = () =>
  useServiceList("approvals", ({ approvals }, query) => approvals.list({ query }), { live: true })

export const useApproval = (id: string) =>
  useServiceQuery(["approvals", id], ({ approvals }) => approvals.get({ params: { id }, query: {} }), { live: true })

export const useDecision = (id: string, decision: "approve" | "deny") =>
  useServiceMutation(({ approvals }) => approvals[decision]({ params: { id } }), ["approvals", "logs"])
