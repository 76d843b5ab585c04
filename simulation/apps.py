from django.apps import AppConfig


class SimulationConfig(AppConfig):
    name = "simulation"

    def ready(self) -> None:
        # Commands alone perform these acts; pages of the trail put them into words.
        import simulation.trail_acts  # noqa: F401
