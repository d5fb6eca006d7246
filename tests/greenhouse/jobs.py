"""What Snakemake does with jobs, here and at once."""

from greenhouse import campaign

MAKE = {"fleet": campaign.make_network, "dose-response": campaign.make_network}


def run(jobs):
    """Prepare jobs and run them by their names, warm starts first."""
    targets = campaign.prepare(jobs)
    for job in jobs:
        if job.start and job.start.done() is None:
            campaign.run("starts", job.start.name, campaign.make_start)
        campaign.run(job.campaign, job.name, MAKE[job.campaign])
        assert (job.folder / campaign.DONE).is_file()
    return targets
