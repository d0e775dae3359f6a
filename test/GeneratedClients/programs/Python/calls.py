"""Calls all five providers with the generated client."""
import os
from typing import TYPE_CHECKING

from client import AuthenticatedClient
from client.api.call import call
from client.models.call_response import CallResponse
from client.models.ga_4_date_range import Ga4DateRange
from client.models.ga_4_metric import Ga4Metric
from client.models.ga_4_properties_run_report_call import Ga4PropertiesRunReportCall
from client.models.ga_4_properties_run_report_call_endpoint import Ga4PropertiesRunReportCallEndpoint
from client.models.ga_4_properties_run_report_call_provider import Ga4PropertiesRunReportCallProvider
from client.models.ga_4_properties_run_report_input import Ga4PropertiesRunReportInput
from client.models.ga_4_properties_run_report_input_path import Ga4PropertiesRunReportInputPath
from client.models.ga_4_run_report_request import Ga4RunReportRequest
from client.models.gdocs_docs_read_call import GdocsDocsReadCall
from client.models.gdocs_docs_read_call_provider import GdocsDocsReadCallProvider
from client.models.gdocs_docs_read_call_tool import GdocsDocsReadCallTool
from client.models.gdocs_docs_read_input import GdocsDocsReadInput
from client.models.gdocs_docs_read_input_format import GdocsDocsReadInputFormat
from client.models.gsc_top_queries_call import GscTopQueriesCall
from client.models.gsc_top_queries_call_provider import GscTopQueriesCallProvider
from client.models.gsc_top_queries_call_tool import GscTopQueriesCallTool
from client.models.gsc_top_queries_input import GscTopQueriesInput
from client.models.gsc_top_queries_input_device import GscTopQueriesInputDevice
from client.models.gsheets_values_get_call import GsheetsValuesGetCall
from client.models.gsheets_values_get_call_endpoint import GsheetsValuesGetCallEndpoint
from client.models.gsheets_values_get_call_provider import GsheetsValuesGetCallProvider
from client.models.gsheets_values_get_input import GsheetsValuesGetInput
from client.models.gsheets_values_get_input_path import GsheetsValuesGetInputPath
from client.models.sitesearch_get_user_sites_call import SitesearchGetUserSitesCall
from client.models.sitesearch_get_user_sites_call_endpoint import SitesearchGetUserSitesCallEndpoint
from client.models.sitesearch_get_user_sites_call_provider import SitesearchGetUserSitesCallProvider

oa = AuthenticatedClient(base_url=os.environ["OA_URL"], token=os.environ["OA_KEY"])

calls: tuple[
    GscTopQueriesCall
    | Ga4PropertiesRunReportCall
    | SitesearchGetUserSitesCall
    | GsheetsValuesGetCall
    | GdocsDocsReadCall,
    ...,
] = (
    GscTopQueriesCall(
        provider=GscTopQueriesCallProvider.GSC,
        tool=GscTopQueriesCallTool.GSC_TOP_QUERIES,
        input_=GscTopQueriesInput(site="fernhill.example", days=28, device=GscTopQueriesInputDevice.MOBILE),
    ),
    Ga4PropertiesRunReportCall(
        provider=Ga4PropertiesRunReportCallProvider.GA4,
        endpoint=Ga4PropertiesRunReportCallEndpoint.PROPERTIES_RUNREPORT,
        input_=Ga4PropertiesRunReportInput(
            path=Ga4PropertiesRunReportInputPath(property_="410000011"),
            body=Ga4RunReportRequest(
                date_ranges=[Ga4DateRange(start_date="7daysAgo", end_date="yesterday")],
                metrics=[Ga4Metric(name="sessions")],
            ),
        ),
        max_age=60,
    ),
    SitesearchGetUserSitesCall(
        provider=SitesearchGetUserSitesCallProvider.SITESEARCH,
        endpoint=SitesearchGetUserSitesCallEndpoint.GETUSERSITES,
    ),
    GsheetsValuesGetCall(
        provider=GsheetsValuesGetCallProvider.GSHEETS,
        endpoint=GsheetsValuesGetCallEndpoint.VALUES_GET,
        input_=GsheetsValuesGetInput(
            path=GsheetsValuesGetInputPath(spreadsheet_id="sandbox-leads", range_="Leads!A1:C2")
        ),
    ),
    GdocsDocsReadCall(
        provider=GdocsDocsReadCallProvider.GDOCS,
        tool=GdocsDocsReadCallTool.DOCS_READ,
        input_=GdocsDocsReadInput(document="sandbox-plan", format_=GdocsDocsReadInputFormat.TEXT),
    ),
)
for body in calls:
    answer = call.sync(client=oa, body=body)
    assert isinstance(answer, CallResponse), answer
    print(answer.connection_id, str(answer.data)[:100])

if TYPE_CHECKING:
    # `mypy --strict` warns where one of these is not an error.
    GscTopQueriesInput(days=28)  # type: ignore[call-arg]
    GscTopQueriesInput(site="fernhill.example", days="28")  # type: ignore[arg-type]
    GscTopQueriesInput(site="fernhill.example", day=28)  # type: ignore[call-arg]
    GscTopQueriesInput(site="fernhill.example", device="watch")  # type: ignore[arg-type]
    GscTopQueriesCall(
        provider=GdocsDocsReadCallProvider.GDOCS,  # type: ignore[arg-type]
        tool=GscTopQueriesCallTool.GSC_TOP_QUERIES,
        input_=GscTopQueriesInput(site="fernhill.example"),
    )
