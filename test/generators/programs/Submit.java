import java.io.File;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.Configuration;
import org.openapitools.client.api.JobsApi;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.Job;

/** Submits a job with a client of openapi-generator, and finds it in the list. */
public final class Submit {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = Configuration.getDefaultApiClient();
    client.setBasePath(System.getenv("BASE_URL"));
    ((HttpBearerAuth) client.getAuthentication("token")).setBearerToken(System.getenv("TOKEN"));
    JobsApi api = new JobsApi(client);
    File zip = new File(System.getenv("ZIP"));
    Job job =
        api.submitJob(
                "hpc_one",
                System.getenv("PAYLOAD"),
                "attachment; filename=job.zip",
                null,
                "java",
                null,
                zip)
            .getJob();
    List<Job> jobs =
        api.listJobs(null, null, null, null, null, null, null, null, null, null, null);
    if (jobs.stream().noneMatch(each -> each.getJobId().equals(job.getJobId()))) {
      throw new IllegalStateException("the job is not in the list");
    }
    System.out.println(job.getJobId());
    System.exit(0);
  }
}
